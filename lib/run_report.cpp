#include <copysim/lib/run_report.hpp>

#include <algorithm>

#include "report_text.hpp"

namespace copysim {

namespace {

using detail::csv_text;
using detail::json_number;
using detail::json_text;
using detail::padded;
using detail::rounded;

std::string json_estimate(const std::optional<Estimate>& x) {
  if (!x) return "null";
  return "{\"mean\": " + json_number(x->mean) + ", \"ci95\": " + json_number(x->ci95) + '}';
}

std::string json_value(const SettingValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) return json_number(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return json_text(*text);
  return json_text(std::get<UntypedText>(value).text);
}

std::string json_setting(const EffectiveSetting& setting) {
  std::string text = "{\"value\": " + json_value(setting.value) +
                     ", \"from\": " + json_text(to_text(setting.origin));
  if (!setting.origin.mark.empty()) text += ", \"mark\": " + json_text(setting.origin.mark);
  if (!setting.origin.source.empty()) text += ", \"source\": " + json_text(setting.origin.source);
  return text + '}';
}

// One member per line, indented; `settings` only where asked for.
void write_members(std::ostream& out, const RunSummary& summary, const std::string& indent,
                   bool with_settings) {
  out << indent << "\"scenario\": " << json_text(summary.scenario) << ",\n"
      << indent << "\"policy\": " << json_text(summary.policy) << ",\n"
      << indent << "\"seed\": " << summary.seed << ",\n"
      << indent << "\"replications\": " << summary.results.size() << ",\n";
  if (with_settings) {
    out << indent << "\"settings\": {";
    const char* separator = "\n";
    for (const EffectiveSetting& setting : summary.settings) {
      out << separator << indent << "  " << json_text(setting.key) << ": " << json_setting(setting);
      separator = ",\n";
    }
    out << '\n' << indent << "},\n";
  }
  out << indent << "\"elapsed_s\": " << json_estimate(summary.elapsed_s()) << ",\n"
      << indent << "\"durable_s\": " << json_estimate(summary.durable_s()) << ",\n"
      << indent << "\"first_estimate_s\": " << json_estimate(summary.first_estimate_s()) << ",\n"
      << indent << "\"throughput_bytes_per_s\": " << json_estimate(summary.throughput_bytes_per_s())
      << ",\n"
      << indent << "\"counters\": {";
  const char* separator = "\n";
  for (const auto& [name, value] : summary.counters()) {
    out << separator << indent << "  " << json_text(name) << ": " << json_number(value);
    separator = ",\n";
  }
  out << '\n' << indent << '}';
  if (summary.status() != IoStatus::ok) {
    out << ",\n" << indent << "\"failure\": " << json_text(to_string(summary.status()));
  }
  out << '\n';
}

void write_json(std::ostream& out, const RunSummary& summary) {
  out << "{\n";
  write_members(out, summary, "  ", true);
  out << "}\n";
}

void write_json(std::ostream& out, const Sweep& sweep) {
  out << '[';
  const char* separator = "\n";
  for (const SweepPoint& point : sweep.points) {
    out << separator << "  {\n    \"vary\": {";
    for (std::size_t i = 0; i < sweep.keys.size(); ++i) {
      out << (i == 0 ? "" : ", ") << json_text(sweep.keys[i]) << ": " << json_text(point.values[i]);
    }
    out << "},\n";
    write_members(out, point.summary, "    ", false);
    out << "  }";
    separator = ",\n";
  }
  out << "\n]\n";
}

// The names of all counters of all points, as some runs may have counted what others have not.
std::vector<std::string> counter_names(const std::vector<const RunSummary*>& summaries) {
  std::vector<std::string> names;
  for (const RunSummary* summary : summaries) {
    for (const auto& [name, value] : summary->counters()) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

void write_csv_header(std::ostream& out, const std::vector<std::string>& counters) {
  out << "scenario,policy,seed,replications,elapsed_s,elapsed_s_ci95,durable_s,durable_s_ci95,"
         "first_estimate_s,first_estimate_s_ci95,throughput_bytes_per_s,"
         "throughput_bytes_per_s_ci95";
  for (const std::string& name : counters) out << ',' << csv_text(name);
  out << ",failure\n";
}

void write_csv_line(std::ostream& out, const RunSummary& summary,
                    const std::vector<std::string>& counters) {
  out << csv_text(summary.scenario) << ',' << csv_text(summary.policy) << ',' << summary.seed << ','
      << summary.results.size();
  for (const std::optional<Estimate>& x :
       {std::optional{summary.elapsed_s()}, std::optional{summary.durable_s()},
        summary.first_estimate_s(), std::optional{summary.throughput_bytes_per_s()}}) {
    out << ',' << (x ? json_number(x->mean) : "") << ',' << (x ? json_number(x->ci95) : "");
  }
  const Counters known = summary.counters();
  for (const std::string& name : counters) {
    const auto found = std::ranges::find(known, name, &Counters::value_type::first);
    out << ',' << (found == known.end() ? "" : json_number(found->second));
  }
  const bool ok = summary.status() == IoStatus::ok;
  out << ',' << (ok ? std::string_view{} : to_string(summary.status())) << '\n';
}

void write_csv(std::ostream& out, const RunSummary& summary) {
  const auto counters = counter_names({&summary});
  write_csv_header(out, counters);
  write_csv_line(out, summary, counters);
}

void write_csv(std::ostream& out, const Sweep& sweep) {
  std::vector<const RunSummary*> summaries;
  for (const SweepPoint& point : sweep.points) summaries.push_back(&point.summary);
  const auto counters = counter_names(summaries);
  for (const std::string& key : sweep.keys) out << csv_text(key) << ',';
  write_csv_header(out, counters);
  for (const SweepPoint& point : sweep.points) {
    for (const std::string& value : point.values) out << csv_text(value) << ',';
    write_csv_line(out, point.summary, counters);
  }
}

std::string text_estimate(const std::optional<Estimate>& x, double scale = 1) {
  if (!x) return "-";
  std::string text = rounded(x->mean / scale);
  if (x->ci95 > 0) text += " +- " + rounded(x->ci95 / scale, 2);
  return text;
}

void write_text(std::ostream& out, const RunSummary& summary) {
  constexpr std::size_t width = 44;
  const auto line = [&](const std::string& name, const std::string& value) {
    out << padded(name, width) << value << '\n';
  };
  line("scenario", summary.scenario);
  const bool copies = !summary.policy.empty();
  if (copies) line("policy", summary.policy);
  line("seed, replications",
       std::to_string(summary.seed) + ", " + std::to_string(summary.results.size()));
  if (summary.status() != IoStatus::ok) line("failure", std::string{to_string(summary.status())});
  line(copies ? "dialog closes after (s)" : "last request done after (s)",
       text_estimate(summary.elapsed_s()));
  line("safe on the medium after (s)", text_estimate(summary.durable_s()));
  if (copies) line("first estimate after (s)", text_estimate(summary.first_estimate_s()));
  line("throughput (MB/s)", text_estimate(summary.throughput_bytes_per_s(), 1e6));
  for (const auto& [name, value] : summary.counters()) line(name, rounded(value, 6));
}

void write_text(std::ostream& out, const Sweep& sweep) {
  constexpr std::size_t width = 18;
  for (const std::string& key : sweep.keys) out << padded(key, std::max(width, key.size() + 2));
  out << padded("elapsed (s)", width) << padded("durable (s)", width) << "throughput (MB/s)\n";
  for (const SweepPoint& point : sweep.points) {
    for (std::size_t i = 0; i < point.values.size(); ++i) {
      out << padded(point.values[i], std::max(width, sweep.keys[i].size() + 2));
    }
    out << padded(text_estimate(point.summary.elapsed_s()), width)
        << padded(text_estimate(point.summary.durable_s()), width)
        << text_estimate(point.summary.throughput_bytes_per_s(), 1e6);
    if (point.summary.status() != IoStatus::ok) out << "  " << to_string(point.summary.status());
    out << '\n';
  }
}

template <class Result>
void write(std::ostream& out, const Result& result, ReportFormat format) {
  switch (format) {
    case ReportFormat::text:
      return write_text(out, result);
    case ReportFormat::json:
      return write_json(out, result);
    case ReportFormat::csv:
      return write_csv(out, result);
  }
}

}  // namespace

void write_run(std::ostream& out, const RunSummary& summary, ReportFormat format) {
  write(out, summary, format);
}

void write_sweep(std::ostream& out, const Sweep& sweep, ReportFormat format) {
  write(out, sweep, format);
}

}  // namespace copysim
