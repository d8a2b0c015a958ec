#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace copysim {

/// A user's mistake: a bad parameter, an unknown id, a malformed file.
///
/// The text reads `<component>: <parameter> <rule>, got <value>`. Python sees a `ValueError`, the
/// command line prints it and exits with status 2.
class ConfigError : public std::invalid_argument {
public:
  explicit ConfigError(const std::string& text) : std::invalid_argument{text} {}
  ConfigError(std::string_view component, std::string_view text);
};

/// A broken model or a misuse of the kernel, such as a negative delay.
class SimulationError : public std::logic_error {
public:
  using std::logic_error::logic_error;
};

/// The calendar ran dry while tasks still wait; the text names them.
class DeadlockError : public SimulationError {
public:
  using SimulationError::SimulationError;
};

}  // namespace copysim
