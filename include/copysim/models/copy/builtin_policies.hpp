#pragma once

#include <copysim/models/copy/policy_registry.hpp>

namespace copysim {

/// The engines that the library ships.
[[nodiscard]] PolicyRegistry builtin_policies();

}  // namespace copysim
