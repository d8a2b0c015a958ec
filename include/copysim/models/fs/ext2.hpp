#pragma once

#include <map>
#include <set>
#include <tuple>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/fs/file_system.hpp>
#include <copysim/models/fs/volume.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// The sizes and costs of ext2 metadata.
struct Ext2Config {
  /// A block, and what one bitmap block describes: 8 x 4,096 blocks make a group (the format, Card,
  /// Ts'o and Tweedie 1994).
  Bytes block = 4_KiB;
  Bytes group = 128_MiB;
  /// An inode (the format): 32 in a block.
  Bytes inode = 128_B;
  /// Inodes of one group: mke2fs made one for each 8 KiB of the volume (recalled).
  int inodes_per_group = 16384;
  /// Data blocks that one block of addresses maps (the format): 1,024 of 4 bytes. The first 12
  /// blocks of a file need none.
  int addresses_per_block = 1024;
  int direct_blocks = 12;
  /// Entries of a directory block: 4 KiB / (8 bytes and a name of 16).
  int entries_per_block = 170;
  /// Metadata goes to the disk when it has been dirty for this long, looked for this often: by
  /// kupdate, like the pages of files (L24-PATCH).
  Duration wake = 5s;
  Duration expire = 30s;
  /// Processor time of each operation on the reference core: no measurement at hand; a warm create,
  /// write and close take some 50 us on such machines (inferred from the 10 us of a warm call).
  Duration operation_cpu = 10us;

  static constexpr auto parameters = std::tuple{
      parameter("block", &Ext2Config::block, "size of a block", at_least(1_KiB)),
      parameter("group", &Ext2Config::group, "size of a block group", at_least(1_MiB)),
      parameter("inode", &Ext2Config::inode, "size of an inode", at_least(128_B)),
      parameter("inodes_per_group", &Ext2Config::inodes_per_group, "inodes of a block group",
                at_least(1)),
      parameter("addresses_per_block", &Ext2Config::addresses_per_block,
                "blocks that one block of addresses maps", at_least(1)),
      parameter("direct_blocks", &Ext2Config::direct_blocks,
                "blocks of a file that need no block of addresses", at_least(0)),
      parameter("entries_per_block", &Ext2Config::entries_per_block, "entries of a directory block",
                at_least(1)),
      parameter("wake", &Ext2Config::wake, "between two looks for old metadata",
                at_least(Duration{1})),
      parameter("expire", &Ext2Config::expire, "age at which metadata is written back",
                at_least(Duration{0})),
      parameter("operation_cpu", &Ext2Config::operation_cpu, "processor time of an operation",
                at_least(Duration{0})),
  };
};

/// ext2: block groups, each with its bitmaps and inodes at its start; nothing is written at the
/// time of a change.
///
/// A create dirties an inode, the inode bitmap and a directory block; new space dirties the block
/// bitmap of its group and the blocks of addresses; all of them stay in the buffer cache until they
/// are `expire` old. Opening a file reads the block of its inode and its directory block, if nobody
/// has before, and its first block of addresses if it is long. Left out: the copies of the super
/// block, quotas, access times (they would dirty the inodes of all files that are read), holes: a
/// gap before a write is filled with zeros, as on the other file systems here.
class Ext2 : public FileSystem {
public:
  Ext2(Simulation& sim, Volume& volume, Cpu& cpu, Ext2Config config);

  [[nodiscard]] std::string_view name() const override { return "ext2"; }
  [[nodiscard]] Task<IoStatus> opened(FileNode& file) override;
  [[nodiscard]] Task<IoStatus> created(FileNode& file) override;
  [[nodiscard]] Task<IoStatus> extended(FileNode& file, Bytes by) override;
  [[nodiscard]] Task<IoStatus> changed(FileNode& file) override;
  [[nodiscard]] Task<IoStatus> moved_through(FileNode& file) override;
  [[nodiscard]] Task<IoStatus> closed(FileNode& file, bool written) override;
  [[nodiscard]] Task<IoStatus> queried() override;
  [[nodiscard]] Task<IoStatus> listed(std::size_t entries) override;
  [[nodiscard]] Task<IoStatus> flushed(FileNode& file) override;
  [[nodiscard]] Task<IoStatus> settle() override;
  [[nodiscard]] bool lazy() const override { return true; }

protected:
  /// A block of metadata changed: a journal takes note of it.
  virtual void note_changed(Bytes /*block*/) {}
  [[nodiscard]] Bytes block_size() const { return config_.block; }

  Simulation* sim_;
  Volume* volume_;
  Bytes home_;  ///< the group that the directory lies in

private:
  /// Where the metadata of a group lies, from its start.
  [[nodiscard]] Bytes group_of(const FileNode& file) const;
  [[nodiscard]] Bytes inode_block(const FileNode& file) const;
  [[nodiscard]] Bytes directory_block(std::uint32_t entry) const;
  void dirty(Bytes block);
  /// Reads a block unless it is in the buffer cache.
  [[nodiscard]] Task<IoStatus> bring_in(Bytes block);
  /// Writes the blocks that became dirty at or before `before`, neighbours together.
  [[nodiscard]] Task<IoStatus> write_back(SimTime before);
  [[nodiscard]] Task<> write_old();

  Cpu* cpu_;
  Ext2Config config_;
  std::map<std::int64_t, SimTime> dirty_;  ///< by device address: since when
  std::set<std::int64_t> present_;         ///< blocks in the buffer cache, by device address
  Signal dirtied_;
};

}  // namespace copysim
