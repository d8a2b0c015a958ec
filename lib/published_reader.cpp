#include <filesystem>

#include <copysim/error.hpp>
#include <copysim/lib/published.hpp>

#include "toml_table.hpp"

namespace copysim {

namespace {

using detail::TomlTable;
using Cells = std::map<std::string, CopyCell>;

const std::vector<std::string> kinds{"value",     "bounds", "difference",
                                     "reduction", "faster", "ordering"};
const std::vector<std::string> roles{"fit", "check", "input"};
const std::vector<std::string> quantities{"elapsed", "durable",      "first_estimate", "throughput",
                                          "service", "request_rate", "counter"};
const std::vector<std::string> rules{"every", "mean"};
const std::vector<std::string> metrics{"seconds", "MB/s", "ratio", "percent",
                                       "pps",     "iops", "count"};
const std::vector<std::string> units{"s", "MB/s", "1", "%", "packets/s", "1/s", "1"};

std::size_t position(const std::vector<std::string>& all, std::string_view one) {
  std::size_t i = 0;
  while (all[i] != one) ++i;
  return i;
}

template <typename Enum>
Enum chosen(TomlTable& table, std::string_view key, const std::vector<std::string>& names,
            std::string_view otherwise) {
  return static_cast<Enum>(position(names, table.choice(key, names, otherwise)));
}

std::string resolved(std::string scenario, const std::string& file) {
  const std::filesystem::path path{scenario};
  if (path.extension() != ".toml" || path.is_absolute()) return scenario;
  return (std::filesystem::path{file}.parent_path() / path).lexically_normal().string();
}

CopyCell read_cell(TomlTable table) {
  CopyCell cell;
  cell.scenario = resolved(table.required_text("scenario"), table.file());
  cell.settings = table.settings("set");
  table.finish();
  return cell;
}

/// Reads a cell given by name or in place, or an array of these.
std::vector<CopyCell> read_cells(TomlTable& table, std::string_view key, const Cells& named) {
  const toml::node* found = table.node(key);
  std::vector<CopyCell> cells;
  const auto add = [&](const toml::node& node) {
    if (const auto* in_place = node.as_table()) {
      cells.push_back(read_cell({*in_place, table.file(), std::string{key}}));
      return;
    }
    const auto name = node.value<std::string>();
    if (!name) table.fail(key, "must be a cell { scenario = ..., set = { ... } } or its name");
    const auto cell = named.find(*name);
    if (cell == named.end()) table.fail(key, "names a cell that [cells] lacks: " + *name);
    cells.push_back(cell->second);
  };
  if (found && found->is_array()) {
    for (const toml::node& item : *found->as_array()) add(item);
  } else if (found) {
    add(*found);
  }
  return cells;
}

RowPlan read_plan(TomlTable table, const PublishedRow& row, const Cells& named) {
  RowPlan plan;
  std::string_view usual = row.metric == "MB/s" ? "throughput" : "elapsed";
  if (row.metric == "iops") usual = "request_rate";
  plan.quantity = chosen<CopyQuantity>(table, "quantity", quantities, usual);
  plan.counter = table.text("counter", "");
  if (plan.counter.empty() != (plan.quantity != CopyQuantity::counter)) {
    table.fail("counter", "must be given exactly with quantity = \"counter\"");
  }
  if (table.has("of") == table.has("a")) table.fail("of", "or a must be given, not both");
  plan.a = read_cells(table, table.has("of") ? "of" : "a", named);
  if (plan.a.empty()) table.fail("of", "must name at least one copy");
  if (table.has("a")) {
    plan.b = read_cells(table, "b", named);
    if (plan.a.size() != plan.b.size()) table.fail("b", "must have as many copies as a");
  }
  if (plan.a.size() > 1 && !table.has("rule")) {
    table.fail("rule", "must be given with several copies: every or mean");
  }
  plan.rule = chosen<CellRule>(table, "rule", rules, "every");
  table.finish();
  return plan;
}

void check_numbers(const TomlTable& table, const PublishedRow& row) {
  const bool bounded = row.lower || row.upper;
  switch (row.kind) {
    case RowKind::value:
    case RowKind::faster:
      if (!row.value) table.fail("value", "must be given for this kind");
      break;
    case RowKind::bounds:
      if (!bounded) table.fail("lower", "or upper must be given for this kind");
      if (row.lower.value_or(0) < 0 || row.upper.value_or(0) < 0) {
        table.fail("lower", "and upper must not be negative for this kind");
      }
      break;
    case RowKind::difference:
      if (!row.value && !(row.lower && row.upper)) {
        table.fail("value", "or lower and upper must be given for this kind");
      }
      break;
    case RowKind::reduction:
      if (!row.value && !bounded) table.fail("value", "or a bound must be given for this kind");
      break;
    case RowKind::ordering:
      if (row.value || row.lower.has_value() == row.upper.has_value()) {
        table.fail("lower", "or upper, one of them and no value, must be given for this kind");
      }
      break;
  }
  if (row.lower && row.upper && *row.lower > *row.upper) table.fail("lower", "must be below upper");
  if (!(row.tolerance > 0 && row.tolerance < 1)) table.fail("tolerance", "must lie in 0 to 1");
}

void check_plan(const TomlTable& table, const PublishedRow& row) {
  const bool pairs = !row.plan->b.empty();
  const bool percent = row.kind == RowKind::reduction || row.kind == RowKind::faster;
  if (percent || row.kind == RowKind::difference) {
    if (!pairs) table.fail("kind", "compares two copies, so predict needs a and b");
  }
  std::string expected = "seconds";
  if (row.plan->quantity == CopyQuantity::throughput) expected = "MB/s";
  if (row.plan->quantity == CopyQuantity::request_rate) expected = "iops";
  // A counter may be anything; one in MB/s must be a rate in bytes.
  if (row.plan->quantity == CopyQuantity::counter) {
    expected = row.metric;
    if (row.metric == "MB/s" && !row.plan->counter.ends_with("bytes_per_s")) {
      table.fail("counter", "must end in bytes_per_s for a row in MB/s");
    }
  }
  if (percent) expected = "percent";
  if (pairs && !percent && row.kind != RowKind::difference) expected = "ratio";
  if (row.metric != expected) table.fail("metric", "must be " + expected + " for this prediction");
}

PublishedRow read_row(TomlTable table, const Cells& named) {
  PublishedRow row;
  row.id = table.required_text("id");
  table.rename("row " + row.id);
  row.what = table.text("what", row.id);
  row.metric = table.choice("metric", metrics, "seconds");
  row.unit = table.text("unit", units[position(metrics, row.metric)]);
  row.value = table.number("value");
  row.lower = table.number("lower");
  row.upper = table.number("upper");
  row.exact = table.boolean("exact", row.value.has_value());
  row.kind = chosen<RowKind>(table, "kind", kinds, "value");
  row.tolerance = table.number("tolerance").value_or(row.tolerance);
  row.role = chosen<RowRole>(table, "role", roles, "check");
  row.direction = table.choice("direction", {"read", "write", "local", "both", ""}, "");
  row.workload = table.text("workload", "");
  row.files = table.integer("files");
  row.bytes = table.integer("bytes");
  row.note = table.text("note", "");
  row.address = table.text("address", "");
  row.not_modelled = table.text("not_modelled", "");
  row.miss_reason = table.text("miss_reason", "");
  check_numbers(table, row);

  const bool planned = table.has("predict") || table.has("scenario");
  if (table.has("predict")) {
    row.plan = read_plan(table.table("predict"), row, named);
  } else if (table.has("scenario")) {
    RowPlan plan;
    if (row.metric == "MB/s") plan.quantity = CopyQuantity::throughput;
    if (row.metric == "iops") plan.quantity = CopyQuantity::request_rate;
    plan.a.push_back(
        {resolved(table.required_text("scenario"), table.file()), table.settings("set")});
    row.plan = plan;
  }
  table.finish();
  if (planned != row.not_modelled.empty()) {
    table.fail("not_modelled", "must say why exactly when there is no predict or scenario");
  }
  if (row.plan) check_plan(table, row);
  return row;
}

void read_header(TomlTable& document, PublishedSource& source) {
  const std::string stem = std::filesystem::path{source.file}.stem().string();
  source.id = stem;
  if (!document.has("source")) return;
  TomlTable table = document.table("source");
  source.id = table.text("id", stem);
  source.prefix = table.text("prefix", "");
  source.citation = table.text("citation", "");
  source.date = table.text("date", "");
  source.address = table.texts("address");
  source.hardware = table.text("hardware", "");
  source.method = table.text("method", "");
  source.trust = table.text("trust", "");
  table.finish();
}

}  // namespace

PublishedSource parse_published(std::string_view text, const std::string& file) {
  const toml::table parsed = detail::parse_toml(text, file);
  TomlTable document{parsed, file, ""};
  PublishedSource source;
  source.file = file;
  read_header(document, source);

  Cells named;
  if (const toml::node* cells = document.node("cells")) {
    if (!cells->is_table()) document.fail("cells", "must be a table of cells");
    for (const auto& [name, cell] : *cells->as_table()) {
      if (!cell.is_table()) document.fail("cells", "must be a table of cells");
      named.emplace(std::string{name.str()},
                    read_cell({*cell.as_table(), file, "cell " + std::string{name.str()}}));
    }
  }
  std::map<std::string, int> seen;
  for (TomlTable& table : document.tables("row")) {
    source.rows.push_back(read_row(table, named));
    if (++seen[source.rows.back().id] > 1) table.fail("id", "must be unique in the file");
  }
  document.finish();
  if (source.rows.empty()) document.fail("row", "must be given at least once, as [[row]]");
  return source;
}

}  // namespace copysim
