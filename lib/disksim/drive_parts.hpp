#pragma once

#include <memory>
#include <string>
#include <string_view>

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

/// The path of the file `name` beside the one of `place`.
/// \throws ConfigError at `place` if there is no such file.
[[nodiscard]] std::string file_beside(const Place& place, const std::string& name);

/// \throws ConfigError with the line of the first byte 0 of `text`: no text file has one.
void require_text(std::string_view text, const std::shared_ptr<const std::string>& file);

}  // namespace copysim::disksim
