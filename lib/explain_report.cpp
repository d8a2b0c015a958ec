#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <copysim/lib/explain.hpp>

#include "report_text.hpp"

namespace copysim {

namespace {

using detail::csv_text;
using detail::json_number;
using detail::json_text;
using detail::padded;
using detail::rounded;

// Longest first; equal ones in the order of their names.
std::vector<PathRow> by_length(std::vector<PathRow> rows) {
  std::ranges::sort(rows, [](const PathRow& a, const PathRow& b) {
    if (a.duration != b.duration) return a.duration > b.duration;
    return std::tie(a.component, a.activity, a.constraint) <
           std::tie(b.component, b.activity, b.constraint);
  });
  return rows;
}

double share(const PathRow& row, Duration whole) {
  return whole > Duration{} ? seconds(row.duration) / seconds(whole) : 0;
}

void write_json_rows(std::ostream& out, const std::vector<PathRow>& rows, Duration whole) {
  out << '[';
  const char* separator = "\n";
  for (const PathRow& row : by_length(rows)) {
    out << separator << "    {\"component\": " << json_text(row.component)
        << ", \"activity\": " << json_text(row.activity)
        << ", \"constraint\": " << json_text(row.constraint)
        << ", \"seconds\": " << json_number(seconds(row.duration))
        << ", \"share\": " << json_number(share(row, whole)) << '}';
    separator = ",\n";
  }
  out << "\n  ]";
}

void write_json(std::ostream& out, const Explanation& e) {
  out << "{\n  \"scenario\": " << json_text(e.scenario)
      << ",\n  \"policy\": " << json_text(e.policy) << ",\n  \"seed\": " << e.seed
      << ",\n  \"replication\": " << e.replication
      << ",\n  \"elapsed_s\": " << json_number(seconds(e.result.elapsed))
      << ",\n  \"durable_s\": " << json_number(seconds(e.result.durable)) << ",\n  \"elapsed\": ";
  write_json_rows(out, e.paths.elapsed, e.result.elapsed);
  out << ",\n  \"durable\": ";
  write_json_rows(out, e.paths.durable, e.result.durable);
  if (e.result.status != IoStatus::ok) {
    out << ",\n  \"failure\": " << json_text(to_string(e.result.status));
  }
  out << "\n}";
}

void write_csv(std::ostream& out, const Explanation& e) {
  const auto lines = [&](const char* until, const std::vector<PathRow>& rows, Duration whole) {
    for (const PathRow& row : by_length(rows)) {
      out << csv_text(e.policy) << ',' << until << ',' << csv_text(row.component) << ','
          << csv_text(row.activity) << ',' << csv_text(row.constraint) << ','
          << json_number(seconds(row.duration)) << ',' << json_number(share(row, whole)) << '\n';
    }
  };
  lines("elapsed", e.paths.elapsed, e.result.elapsed);
  lines("durable", e.paths.durable, e.result.durable);
}

std::string name_of(const std::string& name) {
  return name.empty() ? "-" : name;
}

void write_text(std::ostream& out, const Explanation& e) {
  const std::string name = e.policy.empty() ? e.scenario : e.scenario + " with " + e.policy;
  out << name << ": over after " << rounded(seconds(e.result.elapsed), 6)
      << " s, the data is safe after " << rounded(seconds(e.result.durable), 6) << " s\n";
  if (e.result.status != IoStatus::ok) out << "failure: " << to_string(e.result.status) << '\n';
  out << "What it waited for until it was over:\n\n";
  const std::vector<PathRow> rows = by_length(e.paths.elapsed);
  std::size_t component = 11;
  std::size_t activity = 10;
  std::size_t constraint = 12;
  for (const PathRow& row : rows) {
    component = std::max(component, row.component.size() + 2);
    activity = std::max(activity, row.activity.size() + 2);
    constraint = std::max(constraint, row.constraint.size() + 2);
  }
  const auto line = [&](const std::string& a, const std::string& b, const std::string& c,
                        const std::string& s, const std::string& percent) {
    out << padded(a, component) << padded(b, activity) << padded(c, constraint) << padded(s, 12)
        << percent << '\n';
  };
  line("component", "activity", "constraint", "seconds", "share");
  for (const PathRow& row : rows) {
    line(name_of(row.component), name_of(row.activity), name_of(row.constraint),
         rounded(seconds(row.duration), 6), rounded(100 * share(row, e.result.elapsed), 3) + " %");
  }
  line("all", "", "", rounded(seconds(e.result.elapsed), 6), "100 %");
}

}  // namespace

void write_explanations(std::ostream& out, const std::vector<Explanation>& explanations,
                        ReportFormat format) {
  const bool several = explanations.size() > 1;
  if (format == ReportFormat::csv) {
    out << "policy,until,component,activity,constraint,seconds,share\n";
    for (const Explanation& e : explanations) write_csv(out, e);
    return;
  }
  const bool json = format == ReportFormat::json;
  if (json && several) out << "[\n";
  for (std::size_t i = 0; i < explanations.size(); ++i) {
    if (i > 0) out << (json ? ",\n" : "\n");
    if (json) {
      write_json(out, explanations[i]);
    } else {
      write_text(out, explanations[i]);
    }
  }
  if (json) out << (several ? "\n]\n" : "\n");
}

}  // namespace copysim
