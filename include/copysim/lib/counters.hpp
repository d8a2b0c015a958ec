#pragma once

#include <string>
#include <utility>
#include <vector>

namespace copysim {

/// What the models of a run counted, by dotted name, in a fixed order. Times are in seconds, sizes
/// in bytes; the name carries the unit: "server.disk.system.seek_s",
/// "server.cache.dirty_peak_bytes".
using Counters = std::vector<std::pair<std::string, double>>;

}  // namespace copysim
