#pragma once

#include <string_view>

#include <copysim/models/parameter_reader.hpp>

namespace copysim {

namespace detail {

/// Compares each parameter with the range that its declaration allows.
class RangeCheck final : public ParameterReader {
public:
  explicit RangeCheck(std::string_view component) : component_{component} {}

  void value(std::string_view, std::string_view, bool&) override {}
  void value(std::string_view name, std::string_view text, std::int64_t& field,
             const Allowed<std::int64_t>& allowed) override;
  void value(std::string_view name, std::string_view text, double& field,
             const Allowed<double>& allowed) override;
  void value(std::string_view name, std::string_view text, Bytes& field,
             const Allowed<Bytes>& allowed) override;
  void value(std::string_view name, std::string_view text, Duration& field,
             const Allowed<Duration>& allowed) override;
  void value(std::string_view name, std::string_view text, Bandwidth& field,
             const Allowed<Bandwidth>& allowed) override;
  void value(std::string_view, std::string_view, std::string&) override {}
  void choice(std::string_view, std::string_view, std::size_t&,
              std::span<const std::string_view>) override {}
  void enter(std::string_view, std::string_view) override {}
  void leave() override {}
  std::size_t list(std::string_view, std::string_view, std::size_t length) override {
    return length;
  }

private:
  std::string_view component_;
};

}  // namespace detail

/// Checks all declared parameters of a strategy's `config` against their ranges, so that a strategy
/// made in C++ is held to the same rules as one made from a scenario file.
/// \throws ConfigError that names `component` and the parameter.
template <class Config>
void check_parameters(std::string_view component, Config config) {
  detail::RangeCheck check{component};
  read_parameters(config, check);
}

}  // namespace copysim
