#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <copysim/lib/disksim/trace_file.hpp>
#include <copysim/models/storage/hard_disk.hpp>

namespace copysim {

/// A drive to validate: its name and its parameters.
struct ValidatedDrive {
  std::string name;
  HardDisk::Config config;
};

/// Finds a drive: a DiskSim file (`.parv`, `.diskspecs`), a TOML sheet, or the id of a hard disk in
/// the catalogue. \throws ConfigError if there is none, or if it is malformed.
[[nodiscard]] ValidatedDrive find_validated_drive(const std::string& name);

/// How a model of a drive served a trace, beside what the real drive needed.
struct DiskValidation {
  std::string drive;
  std::vector<Duration> modelled;      ///< response time of each request, in the trace's order
  std::vector<Duration> measured;      ///< likewise; empty if the trace has none
  std::array<std::int64_t, 4> hits{};  ///< requests by `DiskHit`

  [[nodiscard]] std::int64_t requests() const { return static_cast<std::int64_t>(modelled.size()); }
};

/// Serves the trace. A `validate` trace keeps one request outstanding: the next one comes its gap
/// after the modelled completion. An `ascii` trace keeps its arrival times, so requests may queue.
/// \throws ConfigError with file and line for a request that is not on the drive.
[[nodiscard]] DiskValidation validate_disk(const ValidatedDrive& drive,
                                           const disksim::Trace& trace);

/// The demerit figure of Ruemmler and Wilkes (1994): the root mean square horizontal distance
/// between the distributions of two equally long samples, that is of the sorted values'
/// differences.
[[nodiscard]] double demerit_s(std::vector<Duration> a, std::vector<Duration> b);

[[nodiscard]] double mean_s(const std::vector<Duration>& times);

}  // namespace copysim
