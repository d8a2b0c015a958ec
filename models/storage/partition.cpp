#include <copysim/models/storage/partition.hpp>

#include <string>

#include <copysim/error.hpp>

#include "request_check.hpp"

namespace copysim {

namespace {

Bytes place_of(Bytes capacity, double part) {
  if (part >= 1.0) return capacity;
  const auto at = static_cast<std::int64_t>(static_cast<double>(capacity.count()) * part);
  return align_down(Bytes{at}, 1_MiB);
}

}  // namespace

Partition::Partition(BlockDevice& device, const Config& config) : device_{&device} {
  place_.offset = place_of(device.capacity(), config.begin);
  place_.length = place_of(device.capacity(), config.end) - place_.offset;
  if (place_.empty())
    throw ConfigError{id, "end must lie behind begin, got " + std::to_string(config.begin) +
                              " and " + std::to_string(config.end)};
}

Task<IoStatus> Partition::submit(BlockRequest request) {
  check_request(id, request, place_.length);
  request.extent.offset += place_.offset;
  return device_->submit(request);
}

}  // namespace copysim
