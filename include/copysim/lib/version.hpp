#pragma once

#include <string_view>

namespace copysim {

/// Returns the version of the library, as in `CMakeLists.txt`: "major.minor.patch".
[[nodiscard]] std::string_view version();

}  // namespace copysim
