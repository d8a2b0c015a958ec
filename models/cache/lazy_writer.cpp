// The part of the cache manager that decides what is written back and who is held back.
#include <algorithm>

#include <copysim/models/cache/cache_manager.hpp>

namespace copysim {

bool CacheManager::exempt(Writer writer) const {
  return writer == Writer::remote_client && config_.remote_exempt;
}

bool CacheManager::may_write(Bytes size, Writer writer) const {
  // However small the memory, a write passes when it is the only one.
  if (dirty_ == 0_B) return true;
  const Bytes counted = std::min(size, config_.admission_cap);
  // Clean pages can be given up at once, so what is available is all that is not dirty. Nobody is
  // exempt from that part: without a free page the memory manager makes every writer wait.
  const bool available = sizes_.limit - dirty_ - counted > config_.reserve;
  return available && (exempt(writer) || dirty_ + counted < dirty_limit_);
}

Task<> CacheManager::lazy_writer() {
  for (;;) {
    while (dirty_ == 0_B) {
      co_await dirtied_.wait();
    }
    co_await sim_->delay(config_.lazy_first_delay);
    while (dirty_ > 0_B) {
      scan();
      co_await sim_->delay(config_.lazy_period);
    }
  }
}

// One scan, as CcLazyWriteScan does it: an eighth of the dirty pages, and more if at the present
// rate of dirtying the next scan would find over three quarters of the limit.
void CacheManager::scan() {
  const auto share =
      static_cast<std::int64_t>(static_cast<double>(dirty_.count()) * config_.lazy_fraction);
  Bytes target = std::max(Bytes{share}, std::min(dirty_, config_.flush_io));
  const Bytes dirtied = dirty_ + (written_ - written_at_scan_) - dirty_at_scan_;
  const Bytes expected = dirty_ - target + dirtied;
  const Bytes comfortable = dirty_limit_ * 3 / 4;
  if (expected > comfortable) target += expected - comfortable;
  if (waiting_ > 0) target = std::max(target, dirty_ - comfortable);
  dirty_at_scan_ = dirty_;
  written_at_scan_ = written_;

  for (CachedFile& file : dirty_files_) {
    if (target <= 0_B) break;
    const Bytes part = std::min(target, file.dirty);
    file.goal = std::max(file.goal, part);
    target -= part;
    if (!file.flushing && file.goal > 0_B) {
      file.flushing = true;
      sim_->spawn(write_behind(file), "write-behind");
    }
  }
}

Task<> CacheManager::write_behind(CachedFile& file) {
  co_await workers_.acquire();
  while (file.goal > 0_B && file.dirty > 0_B) {
    const Bytes written = co_await write_cluster(file, false);
    if (written == 0_B && file.dirty > 0_B) {
      co_await file.changed.wait();
      continue;
    }
    file.goal -= std::min(file.goal, written);
    // While writers are held back, write on without waiting for the next scan.
    if (waiting_ > 0) file.goal = std::max(file.goal, std::min(file.dirty, config_.flush_io));
  }
  file.goal = 0_B;
  file.flushing = false;
  workers_.release();
  progress_.notify_all();
}

}  // namespace copysim
