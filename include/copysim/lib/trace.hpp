#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/measure.hpp>
#include <copysim/lib/scenario.hpp>
#include <copysim/models/io_result.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// One operation that a trace saw, from its call to its return.
struct TraceEvent {
  /// Who called: the copying program its files, or a file system its device.
  enum class Layer : std::uint8_t { program, device };

  Layer layer = Layer::program;
  std::string_view operation;  ///< "open", "read", "write", ...: a literal
  std::string where;           ///< "source" or "target"; or a device, as "client.disk.system"
  std::string file{};          ///< name of the file; empty for a device
  Extent extent{};             ///< in the file, or on the device; empty where it means nothing
  Duration begin{};            ///< since the click
  Duration took{};
  IoStatus status = IoStatus::ok;
  Bytes dirty{};  ///< in the file caches of all machines, not yet on a device, at its end
};

/// An estimate that the dialog showed.
struct TraceEstimate {
  Duration at{};         ///< since the click
  Duration remaining{};  ///< how long it said that the copy still takes
};

/// What one replication of a scenario did, in the order in which operations ended.
///
/// It grows with the number of operations of the copy (about 100 bytes each). Recording changes no
/// result: it only looks.
struct Trace {
  std::vector<TraceEvent> events;
  std::vector<TraceEstimate> estimates;
  RunResult result;
};

/// Simulates replication `replication` of a scenario and records what it did.
/// \throws ConfigError as `run` does.
[[nodiscard]] Trace record_trace(const ResolvedScenario& scenario, std::uint64_t replication = 0);

/// The progress of a copy at one instant. Sums over all files; each but `dirty` only grows.
struct TimelinePoint {
  Duration time{};       ///< since the click
  Bytes read;            ///< read by the program
  Bytes written;         ///< written by the program
  Bytes dirty;           ///< in file caches and not yet on a device
  Bytes device_read;     ///< read from devices, of all machines
  Bytes device_written;  ///< taken by devices, of all machines, with zeros and metadata
};

/// The course of a traced copy, a point at the end of each operation that moved data.
[[nodiscard]] std::vector<TimelinePoint> timeline(const Trace& trace);

/// How a trace is printed.
enum class TraceKind : std::uint8_t {
  chrome,    ///< Trace Event JSON of Chrome and Perfetto, operations as asynchronous slices
  files,     ///< CSV of the program's file operations, as Process Monitor shows them
  blocks,    ///< CSV of the commands to devices: time, device, access, sector, sectors
  timeline,  ///< CSV of `timeline`
};

/// Times are in seconds (microseconds in `chrome`), positions in bytes (sectors in `blocks`).
void write_trace(std::ostream& out, const Trace& trace, TraceKind kind);

}  // namespace copysim
