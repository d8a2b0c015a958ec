#pragma once

namespace copysim::detail {

// The standard has no such types; both compilers do. `__extension__` keeps -Wpedantic quiet, and
// works with typedef only.
__extension__ typedef __int128 Int128;            // NOLINT(modernize-use-using)
__extension__ typedef unsigned __int128 UInt128;  // NOLINT(modernize-use-using)

}  // namespace copysim::detail
