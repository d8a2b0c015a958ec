#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace copysim::detail {

/// Shortest decimal text that reads back as `x`; "null" if it is not finite.
[[nodiscard]] std::string json_number(double x);
[[nodiscard]] std::string json_number(const std::optional<double>& x);
/// `text` in quotes, escaped as JSON.
[[nodiscard]] std::string json_text(std::string_view text);
/// `text` as a field of CSV, in quotes where needed.
[[nodiscard]] std::string csv_text(std::string_view text);
/// `x` with so many significant digits, never in exponent form for ordinary sizes.
[[nodiscard]] std::string rounded(double x, int digits = 4);
/// `text` filled up with blanks to `width`.
[[nodiscard]] std::string padded(std::string text, std::size_t width);

}  // namespace copysim::detail
