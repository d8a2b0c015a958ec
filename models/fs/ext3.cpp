#include <copysim/models/fs/ext3.hpp>

#include <algorithm>
#include <utility>

namespace copysim {

Ext3::Ext3(Simulation& sim, Volume& volume, FileCache& cache, Cpu& cpu, Ext2Config blocks,
           Ext3Config config)
    : Ext2{sim, volume, cpu, blocks},
      cache_{&cache},
      config_{config},
      // Behind the home group's own metadata, where mke2fs puts it.
      journal_{home_ + blocks.group / 2},
      begun_{sim} {
  sim.spawn(commits(), "kjournald");
}

void Ext3::note_changed(Bytes block) {
  const bool first = changed_.empty();
  changed_.insert(block.count());
  if (first) begun_.notify_all();
}

Task<IoStatus> Ext3::extended(FileNode& file, Bytes by) {
  ordered_.emplace(file.id, &file);
  const IoStatus status = co_await Ext2::extended(file, by);
  co_return status;
}

Task<IoStatus> Ext3::commit() {
  // What changes from here on belongs to the next transaction.
  const auto files = std::exchange(ordered_, {});
  const auto blocks = std::exchange(changed_, {});
  IoStatus status = IoStatus::ok;
  for (const auto& [id, file] : files) {
    const IoStatus one = co_await cache_->flush(file->cached);
    if (status == IoStatus::ok) status = one;
  }
  if (blocks.empty()) co_return status;
  const Bytes block = block_size();
  const Bytes length =
      std::min(block * (static_cast<std::int64_t>(blocks.size()) + 2), config_.journal);
  if (journal_at_ + length > config_.journal) journal_at_ = 0_B;
  const Extent record{journal_ + journal_at_, length};
  journal_at_ += length;
  ++counters_.metadata_writes;
  const IoStatus one = co_await volume_->metadata(Access::write, record);
  co_return status == IoStatus::ok ? one : status;
}

Task<> Ext3::commits() {
  for (;;) {
    while (changed_.empty()) {
      co_await begun_.wait();
    }
    co_await sim_->delay(config_.commit);
    co_await commit();
  }
}

Task<IoStatus> Ext3::flushed(FileNode&) {
  const IoStatus status = co_await commit();
  co_return status;
}

Task<IoStatus> Ext3::settle() {
  const IoStatus committed = co_await commit();
  const IoStatus status = co_await Ext2::settle();
  co_return committed == IoStatus::ok ? status : committed;
}

}  // namespace copysim
