#pragma once

#include <string>

#include <copysim/lib/counters.hpp>
#include <copysim/lib/machine_drive.hpp>
#include <copysim/models/storage/block_device.hpp>

namespace copysim::detail {

/// Appends what a drive did, each name after `name`.
void count_device(Counters& counters, const std::string& name, const DeviceCounters& device,
                  const DriveConfig& drive);

}  // namespace copysim::detail
