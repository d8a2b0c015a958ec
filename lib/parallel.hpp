#pragma once

#include <cstddef>
#include <functional>

#include <copysim/lib/run_options.hpp>

namespace copysim::detail {

/// Calls `work(0)` to `work(count - 1)`, up to `options.jobs` of them at the same time.
///
/// Each call must touch only what belongs to its index, so that the result does not depend on the
/// number of jobs. After a failure no further call starts, and the failure with the lowest index is
/// thrown: always the same one, as indices are given out in order.
/// \throws Cancelled if `options.stop` was asked to stop before all were done.
void for_each_index(std::size_t count, const RunOptions& options,
                    const std::function<void(std::size_t)>& work);

}  // namespace copysim::detail
