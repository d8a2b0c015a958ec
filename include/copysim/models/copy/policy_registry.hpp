#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/parameter_reader.hpp>

namespace copysim {

/// An engine that can be named in a scenario: what it is called, what it is, how it is made.
struct PolicyEntry {
  std::string id;           ///< kebab-case, `policy.id` of a scenario
  std::string text;         ///< one line for `copysim list policies`
  std::string home_system;  ///< system sheet that naming the engine selects; empty: none
  /// Makes the engine from its defaults after `settings` has seen, and may have replaced, each
  /// parameter. \throws ConfigError if a value is outside its range.
  std::function<std::unique_ptr<CopyPolicy>(ParameterReader& settings)> make;
};

/// The engines that a scenario may name, in the order in which they were added.
///
/// It is a value: take `builtin_policies()`, add your own, pass it on.
class PolicyRegistry {
public:
  /// \throws ConfigError if the id is taken.
  void add(PolicyEntry entry);

  /// Adds a class with an `id`, a `Config` with `parameters` and a constructor from it.
  template <class Policy>
  void add(std::string text, std::string home_system) {
    add({std::string{Policy::id}, std::move(text), std::move(home_system),
         [](ParameterReader& settings) -> std::unique_ptr<CopyPolicy> {
           typename Policy::Config config;
           read_parameters(config, settings);
           return std::make_unique<Policy>(config);
         }});
  }

  /// \throws ConfigError that lists the known ids.
  [[nodiscard]] const PolicyEntry& find(std::string_view id) const;
  [[nodiscard]] const std::vector<PolicyEntry>& entries() const { return entries_; }

private:
  std::vector<PolicyEntry> entries_;
};

}  // namespace copysim
