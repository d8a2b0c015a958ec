#pragma once

#include <string>

#include <copysim/models/storage/disk_geometry.hpp>
#include <copysim/models/storage/hard_disk.hpp>
#include <copysim/models/storage/seek_curve.hpp>

#include "block_reader.hpp"

namespace copysim::disksim {

/// Reads a `dm_disk` block's layout into `geometry`.
void read_layout(const BlockReader& model, DiskGeometry::Config& geometry);

/// Reads a `dm_disk` block's mechanics into `config`; files that it names lie beside the block's.
void read_mechanics(const BlockReader& model, HardDisk::Config& config);

/// Reads a `.seek` file: distance and milliseconds on each line.
[[nodiscard]] std::vector<SeekCurve::Point> read_seek_file(const std::string& path);

}  // namespace copysim::disksim
