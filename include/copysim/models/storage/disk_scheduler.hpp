#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace copysim {

/// Which waiting request is served next.
enum class DiskScheduler : std::uint8_t {
  fcfs,    ///< first come, first served
  c_look,  ///< the next higher start, or the lowest of all (the sorted queue of Windows' drivers)
  sstf,    ///< shortest seek, by cylinders
  sptf,    ///< shortest positioning time, seek and rotation: what a drive with NCQ can do
};
[[nodiscard]] std::string_view to_string(DiskScheduler scheduler);
[[nodiscard]] constexpr auto all_values(DiskScheduler /*kind*/) {
  return std::array{DiskScheduler::fcfs, DiskScheduler::c_look, DiskScheduler::sstf,
                    DiskScheduler::sptf};
}

}  // namespace copysim
