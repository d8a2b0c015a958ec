#include <copysim/models/fs/ntfs.hpp>

#include <algorithm>

namespace copysim {

namespace {

constexpr Bytes page = 4_KiB;
constexpr Bytes log_size = 4_MiB;
constexpr Bytes record_cluster = 64_KiB;

}  // namespace

Ntfs::Ntfs(Simulation& sim, Volume& volume, Cpu& cpu, NtfsConfig config)
    : sim_{&sim}, volume_{&volume}, cpu_{&cpu}, config_{config}, dirtied_{sim} {
  const auto at = static_cast<std::int64_t>(static_cast<double>(volume.capacity().count()) *
                                            config.metadata_at);
  log_ = align_down(Bytes{at}, page);
  bitmap_ = log_ + log_size;
  index_ = bitmap_ + 1_MiB;
  mft_ = index_ + 1_MiB;
  sim.spawn(checkpoints(), "ntfs checkpoint");
}

void Ntfs::note_change(std::int64_t records) {
  const bool first = log_dirty_ == 0_B && records_dirty_ == 0;
  records_dirty_ += records;
  log_dirty_ += config_.log_per_change;
  if (first) dirtied_.notify_all();
}

Task<IoStatus> Ntfs::opened(FileNode& file) {
  ++counters_.opens;
  co_await cpu_->run(config_.open_cpu, CpuWork::thread);
  // Files that existed before the run have their records in the order of their indices.
  const std::int64_t record = file.index;
  if (record >= records_read_to_) {
    const std::int64_t per_cluster = record_cluster / config_.record;
    const std::int64_t cluster = record / per_cluster;
    records_read_to_ = (cluster + 1) * per_cluster;
    ++counters_.metadata_reads;
    const Extent where{mft_ + record_cluster * cluster, record_cluster};
    const IoStatus status = co_await volume_->metadata(Access::read, where);
    co_return status;
  }
  co_return IoStatus::ok;
}

Task<IoStatus> Ntfs::created(FileNode&) {
  ++counters_.creates;
  ++records_made_;
  note_change(1);
  co_await cpu_->run(config_.create_cpu, CpuWork::thread);
  co_return IoStatus::ok;
}

Task<IoStatus> Ntfs::extended(FileNode&, Bytes) {
  note_change(0);
  co_await cpu_->run(config_.change_cpu, CpuWork::thread);
  co_return IoStatus::ok;
}

Task<IoStatus> Ntfs::changed(FileNode&) {
  note_change(0);
  co_await cpu_->run(config_.change_cpu, CpuWork::thread);
  co_return IoStatus::ok;
}

Task<IoStatus> Ntfs::moved_through(FileNode&) {
  note_change(0);
  const IoStatus status = co_await write_log(true);
  co_return status;
}

Task<IoStatus> Ntfs::closed(FileNode&, bool written) {
  if (written) note_change(0);
  co_await cpu_->run(config_.close_cpu, CpuWork::thread);
  co_return IoStatus::ok;
}

Task<IoStatus> Ntfs::queried() {
  co_await cpu_->run(config_.query_cpu, CpuWork::thread);
  co_return IoStatus::ok;
}

Task<IoStatus> Ntfs::listed(std::size_t entries) {
  const auto per_page = static_cast<std::size_t>(config_.entries_per_index_page);
  const Bytes length = page * static_cast<std::int64_t>((entries + per_page - 1) / per_page);
  co_await cpu_->run(config_.query_cpu, CpuWork::thread);
  if (length == 0_B) co_return IoStatus::ok;
  ++counters_.metadata_reads;
  const IoStatus status = co_await volume_->metadata(Access::read, {index_, length});
  co_return status;
}

Task<IoStatus> Ntfs::write_log(bool to_medium) {
  const Bytes log_bytes = std::min(align_up(log_dirty_, page), log_size);
  if (log_bytes == 0_B) co_return IoStatus::ok;
  log_dirty_ = 0_B;
  if (log_at_ + log_bytes > log_size) log_at_ = 0_B;
  const Extent log{log_ + log_at_, log_bytes};
  log_at_ += log_bytes;
  ++counters_.metadata_writes;
  const IoStatus status = co_await volume_->metadata(Access::write, log, to_medium);
  co_return status;
}

Task<IoStatus> Ntfs::write_back() {
  const std::int64_t records = records_dirty_;
  records_dirty_ = 0;
  IoStatus status = co_await write_log(false);
  if (records > 0) {
    // New records are neighbours; they, one index page and one bitmap page are one write each.
    const Bytes first = align_down(config_.record * (records_made_ - records), page);
    const Bytes length = align_up(config_.record * records, page);
    counters_.metadata_writes += 3;
    const IoStatus mft = co_await volume_->metadata(Access::write, {mft_ + first, length});
    const IoStatus index = co_await volume_->metadata(Access::write, {index_, page});
    const IoStatus bitmap = co_await volume_->metadata(Access::write, {bitmap_, page});
    for (const IoStatus one : {mft, index, bitmap}) {
      if (status == IoStatus::ok) status = one;
    }
  }
  co_return status;
}

Task<> Ntfs::checkpoints() {
  for (;;) {
    while (log_dirty_ == 0_B && records_dirty_ == 0) {
      co_await dirtied_.wait();
    }
    co_await sim_->delay(config_.checkpoint);
    co_await write_back();
  }
}

Task<IoStatus> Ntfs::flushed(FileNode&) {
  const IoStatus status = co_await write_log(false);
  co_return status;
}

Task<IoStatus> Ntfs::settle() {
  const IoStatus status = co_await write_back();
  co_return status;
}

}  // namespace copysim
