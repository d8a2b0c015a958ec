#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <copysim/lib/disksim/parameter_file.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/models/storage/disk_geometry.hpp>

namespace copysim::disksim {

/// One request of a trace.
struct TraceRequest {
  Access access = Access::read;
  SectorRange sectors;
  Duration measured{};  ///< `validate`: service time of the real drive
  Duration gap{};       ///< `validate`: from this request's completion to the next one
  SimTime arrival{};    ///< `ascii`: when it comes, whether or not others wait
  int line = 0;
};

/// How the requests of a trace follow one another.
enum class TraceKind : std::uint8_t {
  validate,  ///< one at a time, with measured service times
  ascii,     ///< by their arrival times
};

/// A trace in one of DiskSim's text formats:
///  - `validate`: `R|W`, what the drive's buffer did, first block, blocks, measured service time
///    and time until the next request, both in us;
///  - `ascii`: arrival time in ms, device, first block, blocks, flags (bit 0: read).
struct Trace {
  Place place;
  TraceKind kind = TraceKind::validate;
  std::vector<TraceRequest> requests;
};

/// Reads the trace at `path`; its first line tells the format.
/// \throws ConfigError with file and line for a line that is malformed or another device's.
[[nodiscard]] Trace read_trace(const std::string& path);

}  // namespace copysim::disksim
