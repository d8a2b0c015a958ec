#pragma once

#include <set>
#include <tuple>

#include <copysim/models/cache/file_cache.hpp>
#include <copysim/models/fs/ext2.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// What ext3 adds to ext2: the sizes of its journal.
struct Ext3Config {
  /// A transaction is committed this long after it began (the mount option `commit`, 5 s).
  Duration commit = 5s;
  /// The journal is a file of this size, written round and round: 32 MiB on volumes of this size
  /// (mke2fs, recalled).
  Bytes journal = 32_MiB;

  static constexpr auto parameters = std::tuple{
      parameter("commit", &Ext3Config::commit, "from a transaction's start to its commit",
                at_least(Duration{1})),
      parameter("journal", &Ext3Config::journal, "size of the journal", at_least(1_MiB)),
  };
};

/// ext3 in its usual mode, `data=ordered`: ext2 with a journal of metadata.
///
/// Changed blocks of metadata belong to the running transaction. At its commit the data of all
/// files that got new space in it is written first, then a descriptor block, the changed blocks and
/// a commit block, one after the other in the journal. The blocks go to their own places later, as
/// on ext2. So a copy writes its data every 5 s, where ext2 leaves it in memory for 30 s. Flushing
/// one file commits all. Left out: the wait of a writer for a transaction that is being committed,
/// revoked blocks, a journal that is full, the modes `journal` and `writeback`.
///
/// Source: Tweedie, "Journaling the Linux ext2fs Filesystem", 1998; Linux fs/jbd (recalled).
class Ext3 final : public Ext2 {
public:
  Ext3(Simulation& sim, Volume& volume, FileCache& cache, Cpu& cpu, Ext2Config blocks,
       Ext3Config config);

  [[nodiscard]] std::string_view name() const override { return "ext3"; }
  [[nodiscard]] Task<IoStatus> extended(FileNode& file, Bytes by) override;
  [[nodiscard]] Task<IoStatus> flushed(FileNode& file) override;
  [[nodiscard]] Task<IoStatus> settle() override;

private:
  void note_changed(Bytes block) override;
  [[nodiscard]] Task<IoStatus> commit();
  [[nodiscard]] Task<> commits();

  FileCache* cache_;
  Ext3Config config_;
  Bytes journal_;                   ///< its device address
  Bytes journal_at_;                ///< where it goes on, within its size
  std::set<std::int64_t> changed_;  ///< blocks of the running transaction
  /// Files that got new space in it, by identity: an order that does not change from run to run.
  std::map<std::uint32_t, FileNode*> ordered_;
  Signal begun_;
};

}  // namespace copysim
