#pragma once

#include <copysim/models/storage/disk_controller.hpp>
#include <copysim/models/storage/hard_disk.hpp>

namespace copysim::test {

// A disk for arithmetic in the head: 6,000 rpm, so a revolution takes 10 ms; 100 sectors per track,
// so a sector takes 0.1 ms; 2 heads, 50 cylinders; skews of 10 sectors (1 ms) between surfaces and
// 20 (2 ms) between cylinders. Head switch 1 ms; seeks 2 ms over one cylinder and 0.1 ms for each
// further one. The bus moves a sector in 1 us. No command overhead.
inline HardDisk::Config tiny_disk() {
  HardDisk::Config config;
  config.geometry.rpm = 6000;
  config.geometry.heads = 2;
  config.geometry.zone_table = {Zone{.first_sector = 0,
                                     .sectors = 10'000,
                                     .first_cylinder = 0,
                                     .cylinders = 50,
                                     .sectors_per_track = 100,
                                     .track_skew = 10,
                                     .cylinder_skew = 20}};
  config.seek.kind = SeekCurveKind::table;
  config.seek.points = {{1, 2ms}, {49, 6800us}};
  config.head_switch = 1ms;
  config.write_settle = 0ms;
  config.overhead = {0ms, 0ms, 0ms};
  config.bus_rate = Bandwidth{512e6};
  config.read_cache = {.segments = 4, .segment_size = Bytes{50 * 512}};
  config.read_cache.read_ahead = DiskReadAhead::off;
  config.write_cache.enabled = false;
  return config;
}

inline DiskMechanism tiny_mechanism(const HardDisk::Config& config = tiny_disk()) {
  DiskGeometry geometry{config.geometry};
  SeekCurve curve{config.seek, geometry.cylinders()};
  return {geometry, curve, {config.head_switch, config.write_settle, config.zero_latency}, 0ms};
}

inline DiskController tiny_controller(const HardDisk::Config& config) {
  return HardDisk::make_controller(config, 0ms);
}

inline BlockRequest sectors(Access access, std::int64_t first, std::int64_t count) {
  return {access, {sector_size * first, sector_size * count}, false};
}
inline BlockRequest read(std::int64_t first, std::int64_t count) {
  return sectors(Access::read, first, count);
}
inline BlockRequest write(std::int64_t first, std::int64_t count) {
  return sectors(Access::write, first, count);
}

inline constexpr SimTime at(Duration since_start) {
  return SimTime{since_start};
}

}  // namespace copysim::test
