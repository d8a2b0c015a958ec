#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// Walks over the parameters of a `Config`: reads settings into it, or only looks at them.
///
/// Contract: each call names one parameter and refers to its field, which holds the default. An
/// implementation may replace the value (a settings file), or leave it and take note of it
/// (documentation, the effective configuration). It throws `ConfigError` for a value outside
/// `allowed`. Parameters come in the order of their declaration; `enter` and `leave` bracket the
/// parameters of a section or of one element of a list.
class ParameterReader {
public:
  virtual ~ParameterReader() = default;

  virtual void value(std::string_view name, std::string_view text, bool& field) = 0;
  virtual void value(std::string_view name, std::string_view text, std::int64_t& field,
                     const Allowed<std::int64_t>& allowed) = 0;
  virtual void value(std::string_view name, std::string_view text, double& field,
                     const Allowed<double>& allowed) = 0;
  virtual void value(std::string_view name, std::string_view text, Bytes& field,
                     const Allowed<Bytes>& allowed) = 0;
  virtual void value(std::string_view name, std::string_view text, Duration& field,
                     const Allowed<Duration>& allowed) = 0;
  virtual void value(std::string_view name, std::string_view text, Bandwidth& field,
                     const Allowed<Bandwidth>& allowed) = 0;
  virtual void value(std::string_view name, std::string_view text, std::string& field) = 0;
  /// An enumeration, as the index into its `names`.
  virtual void choice(std::string_view name, std::string_view text, std::size_t& index,
                      std::span<const std::string_view> names) = 0;

  virtual void enter(std::string_view name, std::string_view text) = 0;
  virtual void leave() = 0;

  /// Enters the list `name` and says how many elements it shall have, given that it has `length`
  /// now. The elements follow as sections named by their index ("0", "1", ...), where a plain value
  /// has no name; then comes a `leave`.
  virtual std::size_t list(std::string_view name, std::string_view text, std::size_t length) = 0;
};

namespace detail {

template <class Config>
concept HasParameters = requires { std::tuple_size<decltype(Config::parameters)>::value; };

template <class Value>
struct IsVector : std::false_type {};
template <class Element>
struct IsVector<std::vector<Element>> : std::true_type {};

}  // namespace detail

template <class Config>
void read_parameters(Config& config, ParameterReader& reader);

/// Lets `reader` read one value of any type that a parameter may have.
template <class Value>
void read_value(std::string_view name, std::string_view text, Value& field,
                const Allowed<Value>& allowed, ParameterReader& reader) {
  if constexpr (std::is_same_v<Value, bool> || std::is_same_v<Value, std::string>) {
    reader.value(name, text, field);
  } else if constexpr (std::is_enum_v<Value>) {
    constexpr auto values = all_values(Value{});
    std::vector<std::string_view> names;
    std::size_t index = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      names.push_back(to_string(values[i]));
      if (values[i] == field) index = i;
    }
    reader.choice(name, text, index, names);
    field = values[index];
  } else if constexpr (std::is_integral_v<Value>) {
    auto wide = static_cast<std::int64_t>(field);
    Allowed<std::int64_t> bounds{allowed.least, allowed.most};
    // What the field cannot hold is out of bounds too.
    if (!bounds.most && sizeof(Value) < sizeof wide)
      bounds.most = std::numeric_limits<Value>::max();
    reader.value(name, text, wide, bounds);
    field = static_cast<Value>(wide);
  } else if constexpr (detail::IsVector<Value>::value) {
    field.resize(reader.list(name, text, field.size()));
    for (std::size_t i = 0; i < field.size(); ++i) {
      const std::string element = std::to_string(i);
      reader.enter(element, text);
      if constexpr (detail::HasParameters<typename Value::value_type>) {
        read_parameters(field[i], reader);
      } else {
        read_value<typename Value::value_type>("", text, field[i], {}, reader);
      }
      reader.leave();
    }
    reader.leave();
  } else {
    reader.value(name, text, field, allowed);
  }
}

namespace detail {

template <class Config, class Owner, class Value>
void read_one(Config& config, const Parameter<Owner, Value>& declared, ParameterReader& reader) {
  read_value(declared.name, declared.text, config.*declared.member, declared.allowed, reader);
}

template <class Config, class Owner, class Section>
void read_one(Config& config, const ParameterSection<Owner, Section>& declared,
              ParameterReader& reader) {
  reader.enter(declared.name, declared.text);
  read_parameters(config.*declared.member, reader);
  reader.leave();
}

}  // namespace detail

/// Reads the parameters `declared` of `config`; for strategies, whose table is in the class around
/// the `Config`: `read_parameters(config, PipelinedCopy::parameters, reader)`.
template <class Config, class... Declared>
void read_parameters(Config& config, const std::tuple<Declared...>& declared,
                     ParameterReader& reader) {
  std::apply([&](const auto&... each) { (detail::read_one(config, each, reader), ...); }, declared);
}

/// Reads the parameters of a `Config` that declares them itself.
template <class Config>
void read_parameters(Config& config, ParameterReader& reader) {
  read_parameters(config, Config::parameters, reader);
}

}  // namespace copysim
