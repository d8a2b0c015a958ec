#pragma once

#include <tuple>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/fs/file_system.hpp>
#include <copysim/models/fs/volume.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// The sizes and costs of NTFS metadata.
struct NtfsConfig {
  /// One master file table record (standard).
  Bytes record = 1_KiB;
  /// Bytes of log per create, extension and close: a few records each (mechanisms 9: R).
  Bytes log_per_change = 1_KiB;
  /// The log is written at least this often: the checkpoint ("usually every 5 seconds", OSC).
  Duration checkpoint = 5s;
  /// Processor time: warm create, write and close take 0.3 to 3 ms in all (mechanisms 9: U).
  Duration create_cpu = 500us;
  Duration open_cpu = 100us;
  Duration change_cpu = 50us;
  Duration close_cpu = 100us;
  Duration query_cpu = 30us;
  /// One directory index page of 4 KiB holds about this many entries of 100 bytes.
  int entries_per_index_page = 40;
  /// The metadata files lie here: part of the disk (the MFT zone starts an eighth in: R).
  double metadata_at = 0.125;

  static constexpr auto parameters = std::tuple{
      parameter("record", &NtfsConfig::record, "size of an MFT record", at_least(512_B)),
      parameter("log_per_change", &NtfsConfig::log_per_change, "log bytes of one change",
                at_least(0_B)),
      parameter("checkpoint", &NtfsConfig::checkpoint, "time between metadata write-backs",
                at_least(Duration{1})),
      parameter("create_cpu", &NtfsConfig::create_cpu, "processor time of a create",
                at_least(Duration{0})),
      parameter("open_cpu", &NtfsConfig::open_cpu, "processor time of an open",
                at_least(Duration{0})),
      parameter("change_cpu", &NtfsConfig::change_cpu,
                "processor time of an extension or a change of attributes", at_least(Duration{0})),
      parameter("close_cpu", &NtfsConfig::close_cpu, "processor time of a close",
                at_least(Duration{0})),
      parameter("query_cpu", &NtfsConfig::query_cpu, "processor time of a query",
                at_least(Duration{0})),
      parameter("entries_per_index_page", &NtfsConfig::entries_per_index_page,
                "directory entries in a 4 KiB index page", at_least(1)),
      parameter("metadata_at", &NtfsConfig::metadata_at, "where the MFT lies: part of the disk",
                between(0.0, 1.0)),
  };
};

/// NTFS: metadata changes go to memory and a log; log, MFT records, bitmap and directory index are
/// written back together at each checkpoint, so many changes share a few seeks.
///
/// A write-through write that changes metadata waits until the log is on the medium (CreateFile's
/// documentation of FILE_FLAG_WRITE_THROUGH: NTFS then flushes the metadata changes too).
/// Flushing one file writes only the log: its records are enough after a crash.
/// A file's MFT record is read with its neighbours when it is first opened (one 64 KiB cluster of
/// records). Left out: transactions of their own, the USN journal, resident files, security
/// streams.
class Ntfs final : public FileSystem {
public:
  Ntfs(Simulation& sim, Volume& volume, Cpu& cpu, NtfsConfig config);

  [[nodiscard]] std::string_view name() const override { return "ntfs"; }
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

private:
  [[nodiscard]] Task<> checkpoints();
  [[nodiscard]] Task<IoStatus> write_log(bool to_medium);
  [[nodiscard]] Task<IoStatus> write_back();
  void note_change(std::int64_t records);

  Simulation* sim_;
  Volume* volume_;
  Cpu* cpu_;
  NtfsConfig config_;
  Bytes mft_, log_, bitmap_, index_;  ///< device addresses of the metadata files
  Bytes log_at_;                      ///< where the log goes on, within its 4 MiB
  Bytes log_dirty_;
  std::int64_t records_dirty_ = 0;
  std::int64_t records_made_ = 0;  ///< new records are taken one after the other
  std::int64_t records_read_to_ = 0;
  Signal dirtied_;
};

}  // namespace copysim
