#pragma once

#include <string>
#include <string_view>

#include <copysim/error.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/models/storage/disk_geometry.hpp>

namespace copysim {

/// Holds a caller to the contract of `BlockDevice`.
/// \throws SimulationError unless the request is whole sectors inside the device.
inline void check_request(std::string_view device, const BlockRequest& request, Bytes capacity) {
  const Extent& extent = request.extent;
  if (!extent.empty() && extent.offset >= Bytes{0} && extent.end() <= capacity &&
      extent.offset % sector_size == Bytes{0} && extent.length % sector_size == Bytes{0})
    return;
  throw SimulationError{
      std::string{device} + ": a request must be whole sectors inside the device, got " +
      std::to_string(extent.length.count()) + " B at " + std::to_string(extent.offset.count())};
}

}  // namespace copysim
