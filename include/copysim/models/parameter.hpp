#pragma once

#include <optional>
#include <string_view>
#include <tuple>

namespace copysim {

/// The values that a parameter may take; an open side has no bound.
template <class Value>
struct Allowed {
  std::optional<Value> least;
  std::optional<Value> most;
};

template <class Value>
[[nodiscard]] constexpr Allowed<Value> at_least(Value least) {
  return {least, std::nullopt};
}
template <class Value>
[[nodiscard]] constexpr Allowed<Value> between(Value least, Value most) {
  return {least, most};
}

/// Declares one field of a `Config`: its name in TOML, on the command line and in Python, and its
/// meaning.
///
/// The tuple `Config::parameters` of such declarations (or that of the strategy class around the
/// `Config`) is the single place where a setting is declared: the settings parser, the
/// documentation and the error texts all read it, through `ParameterReader`. Values are `bool`,
/// `int`, `std::int64_t`, `double`, `Bytes`, `Duration`, `Bandwidth`, `std::string`, an enumeration
/// with a `to_string` and a constexpr `all_values(Enum)` array found by argument-dependent look-up,
/// or a `std::vector` of such values or of a `Config` with parameters.
template <class Config, class Value>
struct Parameter {
  std::string_view name;
  Value Config::* member;
  std::string_view text;
  Allowed<Value> allowed{};
};

/// The bound may have another type than the field, so that `at_least(1)` serves `std::int64_t` and
/// `at_least(1ms)` serves `Duration`.
template <class Config, class Value, class Bound = Value>
[[nodiscard]] constexpr Parameter<Config, Value> parameter(std::string_view name,
                                                           Value Config::* member,
                                                           std::string_view text,
                                                           Allowed<Bound> allowed = {}) {
  Parameter<Config, Value> declared{name, member, text, {}};
  if (allowed.least) declared.allowed.least = static_cast<Value>(*allowed.least);
  if (allowed.most) declared.allowed.most = static_cast<Value>(*allowed.most);
  return declared;
}

/// Declares a field that is itself a `Config` with parameters: a table inside the table.
template <class Config, class Section>
struct ParameterSection {
  std::string_view name;
  Section Config::* member;
  std::string_view text;
};

template <class Config, class Section>
[[nodiscard]] constexpr ParameterSection<Config, Section> section(std::string_view name,
                                                                  Section Config::* member,
                                                                  std::string_view text) {
  return {name, member, text};
}

}  // namespace copysim
