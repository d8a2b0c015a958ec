#include "report_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

namespace copysim::detail {

namespace {

/// What `std::to_chars` writes, with the arguments after the value passed on.
template <class... Form>
std::string written(double x, Form... form) {
  std::array<char, 512> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, form...);
  return {buffer.data(), result.ptr};
}

}  // namespace

std::string json_number(double x) {
  return std::isfinite(x) ? written(x) : "null";
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
  std::string text = written(x, std::chars_format::general, digits);
  if (text.find('e') == std::string::npos || std::abs(x) < 1) return text;
  return written(x, std::chars_format::fixed, 0);
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

}  // namespace copysim::detail
