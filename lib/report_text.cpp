#include "report_text.hpp"

#include <charconv>
#include <cmath>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

namespace copysim::detail {

std::string json_number(double x) {
  if (!std::isfinite(x)) return "null";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return {buffer, end};
}

std::string json_number(const std::optional<double>& x) {
  return x ? json_number(*x) : "null";
}

std::string json_text(std::string_view text) {
  return boost::json::serialize(boost::json::string{text});
}

std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string{text};
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string rounded(double x, int digits) {
  if (!std::isfinite(x)) return "-";
  char buffer[32];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::general, digits).ptr;
  std::string text{buffer, end};
  if (text.find('e') == std::string::npos || std::abs(x) < 1) return text;
  const auto whole =
      std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::fixed, 0).ptr;
  return {buffer, whole};
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

}  // namespace copysim::detail
