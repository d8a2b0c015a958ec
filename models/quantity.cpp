#include <copysim/models/quantity.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <system_error>

#include <copysim/error.hpp>

namespace copysim {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
  bool printed = true;  // aliases and units that read oddly with a fraction are only parsed
};

constexpr std::array byte_units{
    Unit{"TiB", std::int64_t{1} << 40},
    Unit{"GiB", std::int64_t{1} << 30},
    Unit{"MiB", std::int64_t{1} << 20},
    Unit{"KiB", std::int64_t{1} << 10},
    Unit{"TB", 1'000'000'000'000},
    Unit{"GB", 1'000'000'000},
    Unit{"MB", 1'000'000},
    Unit{"KB", 1'000},
    Unit{"kB", 1'000, false},
    Unit{"B", 1},
};

constexpr std::array duration_units{
    Unit{"h", 3'600'000'000'000, false},
    Unit{"min", 60'000'000'000, false},
    Unit{"s", 1'000'000'000},
    Unit{"ms", 1'000'000},
    Unit{"us", 1'000},
    Unit{"ns", 1},
};

// In bits per second, so that both families have whole factors.
constexpr std::array bandwidth_units{
    Unit{"Gbit/s", 1'000'000'000},
    Unit{"Mbit/s", 1'000'000},
    Unit{"kbit/s", 1'000},
    Unit{"Kbit/s", 1'000, false},
    Unit{"bit/s", 1},
    Unit{"GiB/s", std::int64_t{8} << 30},
    Unit{"MiB/s", std::int64_t{8} << 20},
    Unit{"KiB/s", std::int64_t{8} << 10},
    Unit{"GB/s", 8'000'000'000},
    Unit{"MB/s", 8'000'000},
    Unit{"KB/s", 8'000},
    Unit{"kB/s", 8'000, false},
    Unit{"B/s", 8},
};

constexpr std::string_view byte_names = "B, KB, MB, GB, TB, KiB, MiB, GiB, TiB";
constexpr std::string_view duration_names = "ns, us, ms, s, min, h";
constexpr std::string_view bandwidth_names =
    "bit/s, kbit/s, Mbit/s, Gbit/s, B/s, KB/s, MB/s, GB/s, KiB/s, MiB/s, GiB/s";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

const Unit* find_unit(std::span<const Unit> units, std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

// The number and the unit of a text, still as text.
struct Split {
  std::string_view number;
  const Unit* unit = nullptr;
  std::string error;
};

Split split(std::string_view text, std::span<const Unit> units, std::string_view names) {
  text = trimmed(text);
  const auto end = text.find_first_not_of("+-0123456789.");
  const std::string_view number = text.substr(0, end);
  const std::string_view unit_name =
      end == std::string_view::npos ? std::string_view{} : trimmed(text.substr(end));
  const std::string allowed{names};
  if (number.find_first_of("0123456789") == std::string_view::npos) {
    return {{}, nullptr, "must be a number and a unit (" + allowed + ")"};
  }
  const Unit* unit = find_unit(units, unit_name);
  if (unit_name.empty()) return {{}, nullptr, "needs a unit (" + allowed + ")"};
  if (unit == nullptr) {
    return {{}, nullptr, "has no unit '" + std::string{unit_name} + "' (allowed: " + allowed + ")"};
  }
  return {number, unit, {}};
}

// Digits times factor, exactly, rounded half away from zero. A fraction has at most 9 digits, so
// that no intermediate product leaves int64.
std::optional<std::int64_t> scaled(std::string_view number, std::int64_t factor) {
  const bool negative = number.front() == '-';
  if (negative || number.front() == '+') number.remove_prefix(1);
  const auto point = number.find('.');
  const std::string_view whole_digits = number.substr(0, point);
  std::string_view fraction_digits =
      point == std::string_view::npos ? std::string_view{} : number.substr(point + 1);
  while (!fraction_digits.empty() && fraction_digits.back() == '0')
    fraction_digits.remove_suffix(1);
  if (fraction_digits.size() > 9) return std::nullopt;

  const auto to_integer = [](std::string_view digits) -> std::optional<std::int64_t> {
    if (digits.empty()) return 0;
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code != std::errc{} || end != digits.data() + digits.size() || value < 0) {
      return std::nullopt;
    }
    return value;
  };
  const auto whole = to_integer(whole_digits);
  const auto fraction = to_integer(fraction_digits);
  if (!whole || !fraction || *whole > std::numeric_limits<std::int64_t>::max() / factor - 1) {
    return std::nullopt;
  }
  std::int64_t power = 1;
  for (std::size_t i = 0; i < fraction_digits.size(); ++i) power *= 10;
  const std::int64_t rest = (factor % power) * *fraction;
  const std::int64_t rounded = rest / power + (rest % power * 2 >= power ? 1 : 0);
  const std::int64_t value = *whole * factor + factor / power * *fraction + rounded;
  return negative ? -value : value;
}

template <class Value>
ParsedQuantity<Value> parse_whole(std::string_view text, std::span<const Unit> units,
                                  std::string_view names) {
  const Split parts = split(text, units, names);
  if (parts.unit == nullptr) return {std::nullopt, parts.error};
  const auto value = scaled(parts.number, parts.unit->factor);
  if (!value) {
    return {std::nullopt, "must be a plain decimal number of at most 9 decimals that fits 64 bits"};
  }
  return {Value{*value}, {}};
}

// `value / factor` in decimal digits if at most 9 decimals say it exactly.
std::optional<std::string> exact_decimal(std::int64_t value, std::int64_t factor) {
  const bool negative = value < 0;
  std::int64_t rest = negative ? -(value % factor) : value % factor;
  std::string text = std::to_string(negative ? -(value / factor) : value / factor);
  if (rest != 0) text += '.';
  for (int digits = 0; rest != 0; ++digits) {
    if (digits == 9) return std::nullopt;
    rest *= 10;
    text += static_cast<char>('0' + rest / factor);
    rest %= factor;
  }
  return negative ? "-" + text : text;
}

std::string shortest(std::int64_t value, std::span<const Unit> units) {
  std::string best;
  for (const Unit& unit : units) {
    if (!unit.printed && value % unit.factor != 0) continue;
    if (value == 0 && unit.factor != 1) continue;
    const auto number = exact_decimal(value, unit.factor);
    if (!number) continue;
    std::string text = *number + " " + std::string{unit.name};
    if (best.empty() || text.size() < best.size()) best = std::move(text);
  }
  return best;
}

template <class Value>
Value value_or_throw(const ParsedQuantity<Value>& parsed, std::string_view text) {
  if (!parsed.value) {
    throw ConfigError{"quantity", parsed.error + ", got '" + std::string{text} + "'"};
  }
  return *parsed.value;
}

}  // namespace

ParsedQuantity<Bytes> try_parse_bytes(std::string_view text) {
  return parse_whole<Bytes>(text, byte_units, byte_names);
}

ParsedQuantity<Duration> try_parse_duration(std::string_view text) {
  return parse_whole<Duration>(text, duration_units, duration_names);
}

ParsedQuantity<Bandwidth> try_parse_bandwidth(std::string_view text) {
  const Split parts = split(text, bandwidth_units, bandwidth_names);
  if (parts.unit == nullptr) return {std::nullopt, parts.error};
  double number = 0;
  std::string_view digits = parts.number;
  if (digits.front() == '+') digits.remove_prefix(1);
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (code != std::errc{} || end != digits.data() + digits.size()) {
    return {std::nullopt, "must be a plain decimal number"};
  }
  // Factors are whole bits per second; dividing by 8 is exact in binary.
  return {Bandwidth{number * (static_cast<double>(parts.unit->factor) / 8)}, {}};
}

Bytes parse_bytes(std::string_view text) {
  return value_or_throw(try_parse_bytes(text), text);
}

Duration parse_duration(std::string_view text) {
  return value_or_throw(try_parse_duration(text), text);
}

Bandwidth parse_bandwidth(std::string_view text) {
  return value_or_throw(try_parse_bandwidth(text), text);
}

std::string to_text(Bytes value) {
  return shortest(value.count(), byte_units);
}

std::string to_text(Duration value) {
  return shortest(value.count(), duration_units);
}

std::string to_text(Bandwidth value) {
  std::string best;
  for (const Unit& unit : bandwidth_units) {
    if (!unit.printed) continue;
    std::array<char, 400> buffer{};
    const double number = value.bytes_per_second() / (static_cast<double>(unit.factor) / 8);
    const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                           std::chars_format::fixed);
    if (code != std::errc{}) continue;
    std::string text{buffer.data(), end};
    text += ' ';
    text += unit.name;
    // Division may round: only a text that comes back to the same bits will do; B/s always does.
    if (try_parse_bandwidth(text).value != value) continue;
    if (best.empty() || text.size() < best.size()) best = std::move(text);
  }
  return best;
}

}  // namespace copysim
