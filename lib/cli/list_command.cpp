#include "list_command.hpp"

#include <variant>

#include <copysim/error.hpp>
#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/published.hpp>
#include <copysim/lib/scenario.hpp>
#include <copysim/lib/settings_reader.hpp>
#include <copysim/models/copy/builtin_policies.hpp>

#include "list_disks.hpp"
#include "table.hpp"

namespace copysim::cli {

namespace {

boost::json::value json(const SettingValue& value) {
  struct Converter {
    boost::json::value operator()(bool flag) const { return flag; }
    boost::json::value operator()(std::int64_t count) const { return count; }
    boost::json::value operator()(double number) const { return number; }
    boost::json::value operator()(const std::string& text) const { return text.c_str(); }
    boost::json::value operator()(const UntypedText& text) const { return text.text.c_str(); }
  };
  return std::visit(Converter{}, value);
}

boost::json::value json(const std::vector<std::string>& texts) {
  boost::json::array array;
  for (const std::string& text : texts) array.emplace_back(text);
  return array;
}

Table policies() {
  Table table{{"id", "home_system", "description"}, {}};
  const PolicyRegistry registry = builtin_policies();
  for (const PolicyEntry& entry : registry.entries()) {
    boost::json::value home;
    if (!entry.home_system.empty()) home = entry.home_system.c_str();
    table.rows.push_back({entry.id.c_str(), home, entry.text.c_str()});
  }
  return table;
}

Table sheets(std::string_view kind) {
  Table table{{"id", "year", "title", "source"}, {}};
  for (const std::string& id : catalogue().ids(kind)) {
    const Sheet sheet = load_sheet(kind, id);
    boost::json::value year;
    if (sheet.year != 0) year = sheet.year;
    table.rows.push_back({id.c_str(), year, sheet.title.c_str(), sheet.source.c_str()});
  }
  return table;
}

Table scenarios() {
  Table table{{"id", "policy", "workloads", "title", "source"}, {}};
  for (const std::string& id : catalogue().ids("scenarios")) {
    const Scenario scenario = load_scenario(id);
    const Setting* policy = scenario.settings().find("policy.id");
    Settings all = scenario.settings();
    if (const Setting* load = all.find("load")) {
      all.merge(load_sheet("loads", std::get<std::string>(load->value)).settings);
    }
    table.rows.push_back({id.c_str(), policy == nullptr ? nullptr : json(policy->value),
                          json(all.children("workloads")), scenario.title().c_str(),
                          scenario.source().c_str()});
  }
  return table;
}

Table timings() {
  Table table{{"id", "rows", "modelled", "trust", "date", "citation"}, {}};
  for (const PublishedSource& source : published_sources()) {
    std::int64_t modelled = 0;
    for (const PublishedRow& row : source.rows) modelled += row.plan ? 1 : 0;
    table.rows.push_back({source.id.c_str(), source.rows.size(), modelled, source.trust.c_str(),
                          source.date.c_str(), source.citation.c_str()});
  }
  return table;
}

Table fitted() {
  Table table{{"name", "value", "range", "sources", "rows", "command"}, {}};
  for (const FittedValue& fitted : fitted_values()) {
    boost::json::array range;
    for (const SettingValue& value : fitted.range) range.push_back(json(value));
    table.rows.push_back({fitted.name.c_str(), json(fitted.value), range, json(fitted.sources),
                          json(fitted.rows), fitted.command.c_str()});
  }
  return table;
}

}  // namespace

std::vector<std::string> list_subjects() {
  return {"policies", "disks",     "links",   "loads", "machines",
          "systems",  "scenarios", "timings", "fitted"};
}

void list_command(std::string_view subject, ReportFormat format, std::ostream& out) {
  if (subject == "disks") {
    list_disks(format, out);
    return;
  }
  Table table;
  if (subject == "policies") {
    table = policies();
  } else if (subject == "links" || subject == "loads" || subject == "machines" ||
             subject == "systems") {
    table = sheets(subject);
  } else if (subject == "scenarios") {
    table = scenarios();
  } else if (subject == "timings") {
    table = timings();
  } else if (subject == "fitted") {
    table = fitted();
  } else {
    const std::vector<std::string> known = list_subjects();
    throw ConfigError{"list", "WHAT must be one of " + joined(known) + ", got '" +
                                  std::string{subject} + "'" + suggestion(subject, known)};
  }
  write_table(out, table, format);
}

}  // namespace copysim::cli
