#include <copysim/error.hpp>

namespace copysim {

ConfigError::ConfigError(std::string_view component, std::string_view text)
    : std::invalid_argument{std::string{component} + ": " + std::string{text}} {}

}  // namespace copysim
