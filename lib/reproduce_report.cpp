#include <cmath>

#include <copysim/lib/reproduce.hpp>

#include "report_text.hpp"

namespace copysim {

namespace {

using detail::csv_text;
using detail::json_number;
using detail::json_text;
using detail::padded;
using detail::rounded;

std::string published_text(const PublishedRow& row) {
  std::string text;
  if (row.kind == RowKind::ordering) {
    text = row.lower ? "> " + rounded(*row.lower) : "< " + rounded(*row.upper);
  } else if (row.value && (row.kind != RowKind::bounds)) {
    text = rounded(*row.value);
  } else if (row.lower && row.upper) {
    text = rounded(*row.lower) + " .. " + rounded(*row.upper);
  } else {
    text = row.lower ? ">= " + rounded(*row.lower) : "<= " + rounded(*row.upper);
  }
  return row.unit == "1" ? text : text + ' ' + row.unit;
}

std::string predicted_text(const ReproducedRow& reproduced) {
  if (!reproduced.predicted) return "-";
  return rounded(reproduced.predicted->mean) + " +- " + rounded(reproduced.predicted->ci95, 2);
}

std::string error_text(const ReproducedRow& reproduced) {
  if (!reproduced.predicted) return "-";
  const double percent = std::round(reproduced.verdict.error * 1000) / 10;
  return (percent > 0 ? "+" : "") + rounded(percent) + " %";
}

void write_row(std::ostream& out, const ReproducedRow& reproduced) {
  const PublishedRow& row = reproduced.row;
  out << padded(row.id, 8) << padded(std::string{to_string(row.role)}, 7)
      << padded(published_text(row), 20) << padded(predicted_text(reproduced), 20)
      << padded(error_text(reproduced), 10)
      << padded(std::string{to_string(reproduced.verdict.outcome)}, 14) << row.what << '\n';
  const std::string reason = reproduced.reason();
  if (!reason.empty()) out << "        (" << reason << ")\n";
}

std::string cell(const VerdictCount& count) {
  return std::to_string(count.holds) + " hold, " + std::to_string(count.misses) + " miss, " +
         std::to_string(count.not_modelled) + " not-modelled";
}

void add(VerdictCount& total, const VerdictCount& part) {
  total.holds += part.holds;
  total.misses += part.misses;
  total.not_modelled += part.not_modelled;
}

void write_count(std::ostream& out, const SourceCount& count) {
  out << padded(count.source, 14) << padded(cell(count.check), 36) << padded(cell(count.fit), 36)
      << count.inputs << '\n';
}

void write_text(std::ostream& out, const Reproduction& reproduction) {
  out << padded("row", 8) << padded("role", 7) << padded("published", 20) << padded("predicted", 20)
      << padded("error", 10) << padded("verdict", 14) << "what\n";
  for (const ReproducedRow& reproduced : reproduction.rows) write_row(out, reproduced);

  out << '\n'
      << padded("source", 14) << padded("check rows", 36) << padded("fit rows", 36) << "inputs\n";
  SourceCount total{"all", {}, {}, 0};
  for (const SourceCount& count : reproduction.counts()) {
    write_count(out, count);
    add(total.check, count.check);
    add(total.fit, count.fit);
    total.inputs += count.inputs;
  }
  write_count(out, total);
  out << "(" << reproduction.simulations << " simulated copies)\n";
}

void write_json(std::ostream& out, const Reproduction& reproduction) {
  const char* separator = "[\n";
  for (const ReproducedRow& reproduced : reproduction.rows) {
    const PublishedRow& row = reproduced.row;
    out << separator << R"({"id":)" << json_text(row.id) << R"(,"source":)"
        << json_text(reproduced.source) << R"(,"metric":)" << json_text(row.metric) << R"(,"unit":)"
        << json_text(row.unit) << R"(,"kind":)" << json_text(to_string(row.kind))
        << R"(,"published":{"value":)" << json_number(row.value) << R"(,"lower":)"
        << json_number(row.lower) << R"(,"upper":)" << json_number(row.upper)
        << R"(},"predicted":)";
    if (reproduced.predicted) {
      out << R"({"mean":)" << json_number(reproduced.predicted->mean) << R"(,"ci95":)"
          << json_number(reproduced.predicted->ci95) << '}';
    } else {
      out << "null";
    }
    const std::string reason = reproduced.reason();
    out << R"(,"role":)" << json_text(to_string(row.role)) << R"(,"verdict":)"
        << json_text(to_string(reproduced.verdict.outcome)) << R"(,"reason":)"
        << (reason.empty() ? "null" : json_text(reason)) << '}';
    separator = ",\n";
  }
  out << (reproduction.rows.empty() ? "[]\n" : "\n]\n");
}

std::string csv_number(const std::optional<double>& x) {
  return x ? json_number(*x) : std::string{};
}

void write_csv(std::ostream& out, const Reproduction& reproduction) {
  out << "id,source,metric,unit,kind,value,lower,upper,predicted_mean,predicted_ci95,role,verdict,"
         "reason\n";
  for (const ReproducedRow& reproduced : reproduction.rows) {
    const PublishedRow& row = reproduced.row;
    std::optional<double> mean;
    std::optional<double> ci95;
    if (reproduced.predicted) mean = reproduced.predicted->mean;
    if (reproduced.predicted) ci95 = reproduced.predicted->ci95;
    out << csv_text(row.id) << ',' << csv_text(reproduced.source) << ',' << csv_text(row.metric)
        << ',' << csv_text(row.unit) << ',' << to_string(row.kind) << ',' << csv_number(row.value)
        << ',' << csv_number(row.lower) << ',' << csv_number(row.upper) << ',' << csv_number(mean)
        << ',' << csv_number(ci95) << ',' << to_string(row.role) << ','
        << to_string(reproduced.verdict.outcome) << ',' << csv_text(reproduced.reason()) << '\n';
  }
}

}  // namespace

void write_reproduction(std::ostream& out, const Reproduction& reproduction, ReportFormat format) {
  switch (format) {
    case ReportFormat::text:
      write_text(out, reproduction);
      return;
    case ReportFormat::json:
      write_json(out, reproduction);
      return;
    case ReportFormat::csv:
      write_csv(out, reproduction);
      return;
  }
}

}  // namespace copysim
