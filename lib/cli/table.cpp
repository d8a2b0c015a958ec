#include "table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include <boost/json/serialize.hpp>

namespace copysim::cli {

namespace {

std::string csv_field(std::string text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

void write_text(std::ostream& out, const Table& table) {
  std::vector<std::vector<std::string>> lines{table.columns};
  for (const auto& row : table.rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const auto& cell : row) line.push_back(plain_text(cell));
  }
  std::vector<std::size_t> widths(table.columns.size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      out << line[i];
      if (i + 1 < line.size()) out << std::string(widths[i] - line[i].size() + 2, ' ');
    }
    out << '\n';
  }
}

void write_json(std::ostream& out, const Table& table) {
  out << '[';
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    boost::json::object object;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      object[table.columns[i]] = table.rows[r][i];
    }
    out << (r == 0 ? "\n  " : ",\n  ") << boost::json::serialize(object);
  }
  out << (table.rows.empty() ? "]\n" : "\n]\n");
}

void write_csv(std::ostream& out, const Table& table) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    out << (i == 0 ? "" : ",") << csv_field(table.columns[i]);
  }
  out << '\n';
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out << (i == 0 ? "" : ",") << csv_field(plain_text(row[i]));
    }
    out << '\n';
  }
}

}  // namespace

std::string plain_text(const boost::json::value& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return std::string{value.get_string()};
  if (value.is_double()) {
    std::array<char, 32> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value.get_double()).ptr;
    return {buffer.data(), end};
  }
  if (!value.is_array()) return boost::json::serialize(value);
  std::string all;
  for (const auto& element : value.get_array()) {
    if (!all.empty()) all += ' ';
    all += plain_text(element);
  }
  return all;
}

void write_table(std::ostream& out, const Table& table, ReportFormat format) {
  switch (format) {
    case ReportFormat::text:
      write_text(out, table);
      return;
    case ReportFormat::json:
      write_json(out, table);
      return;
    case ReportFormat::csv:
      write_csv(out, table);
      return;
  }
}

}  // namespace copysim::cli
