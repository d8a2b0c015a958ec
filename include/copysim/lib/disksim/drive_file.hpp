#pragma once

#include <string>

#include <copysim/models/storage/hard_disk.hpp>

namespace copysim::disksim {

/// A drive of DiskSim as a drive of this library.
struct ImportedDrive {
  std::string name;  ///< of its block
  HardDisk::Config config;
};

/// Reads a drive from a DiskSim file: a `.diskspecs` with one `disksim_disk`, or a `.parv` with the
/// drive that it instantiates and the buses and controllers above it.
///
/// Taken over: the layout G1 with its zones, skews, spares, slips and remapped defects; the
/// mechanics G1 with all kinds of seek curve; all overheads, the buffer's segments and read-ahead,
/// write-back and combining, and the bus. Not taken over, since one request at a time does not show
/// it or no drive of the set has it: sneaky hits, write prebuffering, preseeking, a least
/// read-ahead, errors of the speed, the layouts G2 and G4, and what takes the place of positioning
/// (`Access time type` other than `trackSwitchPlusRotation`).
///
/// \throws ConfigError with file and line for a file that is malformed or holds no such drive.
[[nodiscard]] ImportedDrive read_drive(const std::string& path);

}  // namespace copysim::disksim
