#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <copysim/lib/scenario.hpp>
#include <copysim/lib/settings.hpp>

namespace copysim::detail {

/// A scenario's own settings with the sheets that they name below them: what the scenario says
/// itself wins.
class ScenarioSheets {
public:
  /// `name` of the scenario, for messages about what is missing.
  ScenarioSheets(Settings given, std::string_view name) : all_{std::move(given)}, name_{name} {}

  [[nodiscard]] const Settings& all() const { return all_; }
  /// The value of `key` if it is a text; empty if nobody sets it.
  [[nodiscard]] std::string text(std::string_view key) const;
  /// Whether `side` is a server on the client's own machine.
  [[nodiscard]] bool on_client(const std::string& side) const;

  /// The client's system, if the scenario names none: the home of its engine.
  void choose_client_system(const PolicyRegistry& policies);
  /// The sheet of `kind` that `id_key` names, if it is set, under `prefix`.
  void add_sheet(std::string_view kind, const std::string& id_key, const std::string& prefix);
  /// The sheets of the machine, its system and its drives; `side` is client or server.
  void add_machine(const std::string& side);

  /// A ConfigError about `key`, at the place where it is set, else about the scenario as a whole.
  [[noreturn]] void fail(std::string_view key, const std::string& rule) const;

private:
  void add_system(const std::string& side);
  void check_shares(const std::string& side, const std::string& key) const;

  Settings all_;
  std::string name_;
};

/// ` (known: a, b)`, for messages.
[[nodiscard]] std::string known_text(std::span<const std::string> ids);

}  // namespace copysim::detail
