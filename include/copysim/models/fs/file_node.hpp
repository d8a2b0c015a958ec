#pragma once

#include <cstdint>
#include <string>

#include <copysim/models/cache/backing_file.hpp>
#include <copysim/models/cache/cached_file.hpp>
#include <copysim/models/fs/file_map.hpp>
#include <copysim/models/fs/volume.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// A file on a volume: what a file system keeps in memory about it while any handle is open, and
/// what lies on the medium.
///
/// `valid_data` is NTFS's valid data length: what lies behind it was allocated but never written
/// and reads as zeros without touching the disk.
class FileNode final : public BackingFile {
public:
  FileNode(Simulation& sim, Volume& volume, std::string file_name, std::uint32_t identity,
           std::uint32_t entry)
      : name{std::move(file_name)},
        id{identity},
        index{entry},
        cached{sim, *this},
        extending{sim, 1},
        volume_{&volume} {}

  [[nodiscard]] Task<ReadResult> page_in(Extent extent) override;
  [[nodiscard]] Task<IoStatus> page_out(Bytes offset, Content content, bool to_medium) override;
  [[nodiscard]] Bytes size() const override { return end; }

  std::string name;
  std::uint32_t id;     ///< `Origin::file` of its content
  std::uint32_t index;  ///< of its directory entry or MFT record, from 0 on each volume
  Bytes end;            ///< end of file
  Bytes valid_data;     ///< valid data length
  FileMap map;
  CachedFile cached;
  Semaphore extending;  ///< held by the one write that moves `valid_data`

private:
  Volume* volume_;
};

}  // namespace copysim
