#include <copysim/lib/recorded.hpp>

#include <cmath>
#include <set>
#include <sstream>

#include <copysim/lib/catalogue.hpp>

#include "report_text.hpp"
#include "toml_table.hpp"

namespace copysim {

namespace {

// A miss may drift by one percentage point before it counts as worse.
constexpr double allowed_growth = 0.01;

Outcome outcome_of(const std::string& text) {
  if (text == "holds") return Outcome::holds;
  return text == "misses" ? Outcome::misses : Outcome::not_modelled;
}

/// A number of TOML, with a few digits so that the file reads well.
std::string toml_number(double x, int digits) {
  return std::isfinite(x) ? detail::rounded(x, digits) : "nan";
}

std::string percent(double error) {
  return detail::rounded(std::abs(error) * 100) + " %";
}

/// Says how `now` is worse than `before`, or nothing.
std::string how_worse(const RecordedRow& before, const ReproducedRow& now) {
  const Outcome outcome = now.verdict.outcome;
  if (outcome > before.verdict) {
    return "fell from " + std::string{to_string(before.verdict)} + " to " +
           std::string{to_string(outcome)};
  }
  const bool misses = outcome == Outcome::misses && before.verdict == Outcome::misses;
  const double growth = std::abs(now.verdict.error) - std::abs(before.error);
  // Written so that an error that is no number counts as worse.
  if (misses && !(growth <= allowed_growth)) {
    return "misses by " + percent(now.verdict.error) + ", recorded was " + percent(before.error);
  }
  return {};
}

}  // namespace

Recorded Recorded::parse(std::string_view text, const std::string& file) {
  const toml::table parsed = detail::parse_toml(text, file);
  detail::TomlTable document{parsed, file, ""};
  Recorded recorded;
  for (detail::TomlTable& table : document.tables("row")) {
    const std::string id = table.required_text("id");
    table.rename("row " + id);
    RecordedRow row;
    row.source = table.required_text("source");
    row.verdict =
        outcome_of(table.choice("verdict", {"holds", "misses", "not-modelled"}, "not-modelled"));
    row.error = table.number("error").value_or(0);
    const auto mean = table.number("predicted");
    const auto ci95 = table.number("ci95");
    if (mean) row.predicted = Estimate{*mean, ci95.value_or(0)};
    table.finish();
    recorded.rows_[id] = row;
  }
  document.finish();
  return recorded;
}

Recorded Recorded::shipped() {
  if (!catalogue().contains("published", "recorded")) return {};
  const CatalogueFile& file = catalogue().find("published", "recorded");
  return parse(file.text, std::string{file.name});
}

std::string Recorded::to_toml() const {
  std::ostringstream out;
  out << "# Predictions and verdicts when `copysim reproduce --record` was last run: the yardstick "
         "of\n"
         "# `copysim reproduce --check`. Units are those of the published rows; error is "
         "relative.\n";
  for (const auto& [id, row] : rows_) {
    out << "\n[[row]]\nid = " << detail::json_text(id)
        << "\nsource = " << detail::json_text(row.source) << "\nverdict = \""
        << to_string(row.verdict) << "\"\n";
    if (!row.predicted) continue;
    out << "predicted = " << toml_number(row.predicted->mean, 7)
        << "\nci95 = " << toml_number(row.predicted->ci95, 3)
        << "\nerror = " << toml_number(row.error, 5) << '\n';
  }
  return out.str();
}

void Recorded::record(const Reproduction& reproduction) {
  std::set<std::string> sources;
  for (const ReproducedRow& now : reproduction.rows) sources.insert(now.source);
  std::erase_if(rows_, [&](const auto& entry) { return sources.contains(entry.second.source); });
  for (const ReproducedRow& now : reproduction.rows) {
    if (now.row.role == RowRole::input) continue;
    rows_[now.row.id] = {now.source, now.verdict.outcome, now.verdict.error, now.predicted};
  }
}

std::vector<std::string> Recorded::worsened(const Reproduction& reproduction) const {
  std::vector<std::string> all;
  for (const ReproducedRow& now : reproduction.rows) {
    const auto before = rows_.find(now.row.id);
    if (before == rows_.end() || now.row.role == RowRole::input) continue;
    const std::string worse = how_worse(before->second, now);
    if (!worse.empty()) all.push_back(now.row.id + ' ' + worse);
  }
  return all;
}

}  // namespace copysim
