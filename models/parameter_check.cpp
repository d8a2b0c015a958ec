#include <copysim/models/parameter_check.hpp>

#include <charconv>
#include <string>

#include <copysim/error.hpp>
#include <copysim/models/quantity.hpp>

namespace copysim::detail {

namespace {

std::string text_of(std::int64_t value) {
  return std::to_string(value);
}
std::string text_of(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}
template <class Quantity>
std::string text_of(Quantity value) {
  return to_text(value);
}

template <class Value>
void check(std::string_view component, std::string_view name, const Value& value,
           const Allowed<Value>& allowed) {
  // Written so that a NaN fails.
  if (allowed.least && !(value >= *allowed.least)) {
    throw ConfigError{component, std::string{name} + " must be at least " +
                                     text_of(*allowed.least) + ", got " + text_of(value)};
  }
  if (allowed.most && !(value <= *allowed.most)) {
    throw ConfigError{component, std::string{name} + " must be at most " + text_of(*allowed.most) +
                                     ", got " + text_of(value)};
  }
}

}  // namespace

void RangeCheck::value(std::string_view name, std::string_view, std::int64_t& field,
                       const Allowed<std::int64_t>& allowed) {
  check(component_, name, field, allowed);
}
void RangeCheck::value(std::string_view name, std::string_view, double& field,
                       const Allowed<double>& allowed) {
  check(component_, name, field, allowed);
}
void RangeCheck::value(std::string_view name, std::string_view, Bytes& field,
                       const Allowed<Bytes>& allowed) {
  check(component_, name, field, allowed);
}
void RangeCheck::value(std::string_view name, std::string_view, Duration& field,
                       const Allowed<Duration>& allowed) {
  check(component_, name, field, allowed);
}
void RangeCheck::value(std::string_view name, std::string_view, Bandwidth& field,
                       const Allowed<Bandwidth>& allowed) {
  check(component_, name, field, allowed);
}

}  // namespace copysim::detail
