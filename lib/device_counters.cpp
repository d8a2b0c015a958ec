#include "device_counters.hpp"

namespace copysim::detail {

void count_device(Counters& counters, const std::string& name, const DeviceCounters& device,
                  const DriveConfig& drive) {
  const auto add = [&](const char* what, double value) {
    counters.emplace_back(name + "." + what, value);
  };
  add("reads", static_cast<double>(device.reads));
  add("writes", static_cast<double>(device.writes));
  add("read_bytes", static_cast<double>(device.bytes_read.count()));
  add("written_bytes", static_cast<double>(device.bytes_written.count()));
  add("seeks", static_cast<double>(device.seeks));
  add("cache_hits", static_cast<double>(device.cache_hits));
  add("erased_blocks", static_cast<double>(device.erased_blocks));
  add("seek_s", seconds(device.seek_time));
  add("rotation_s", seconds(device.rotation_time));
  add("transfer_s", seconds(device.transfer_time));
  add("overhead_s", seconds(device.overhead_time));
  add("busy_s", seconds(device.busy_time));
  const auto requests = static_cast<double>(device.reads + device.writes);
  if (drive.kind != DriveKind::hard_disk || requests == 0) return;
  // How often the platters turned while a request waited for its sector, on the average.
  const double revolution_s = 60.0 / drive.hard_disk.geometry.rpm;
  add("seeks_per_request", static_cast<double>(device.seeks) / requests);
  add("revolutions_per_request", seconds(device.rotation_time) / revolution_s / requests);
}

}  // namespace copysim::detail
