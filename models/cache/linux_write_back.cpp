// The part of the Linux page cache that decides what is written back and who is held back.
#include <algorithm>

#include <copysim/models/cache/linux_page_cache.hpp>

namespace copysim {

bool LinuxPageCache::may_write(Bytes size, Writer /*writer*/) const {
  // However small the memory, a write passes when it is the only one.
  return dirty_ == 0_B || dirty_ + size <= foreground_limit_;
}

void LinuxPageCache::note_dirtied() {
  if (waiting_dirty() > background_limit_) too_dirty_.notify_all();
}

Task<> LinuxPageCache::wait_to_retry() {
  if (config_.retry > 0s) {
    co_await sim_->delay(config_.retry);
  } else {
    co_await progress_.wait();
  }
}

LinuxPageCache::Run LinuxPageCache::take_older(SimTime before) {
  for (CachedFile& file : dirty_files_) {
    if (file.dirtied > before) break;
    for (const std::int64_t index : file.dirty_views) {
      const CacheView& view = file.view(index);
      if (view.dirtied > before || (view.dirty & ~view.writing) == 0) continue;
      file.flush_from = view_size * index;
      return {&file, take_cluster(file)};
    }
  }
  return {};
}

LinuxPageCache::Run LinuxPageCache::take_next() {
  for (CachedFile& file : dirty_files_) {
    if (file.dirty == 0_B) continue;
    const Extent pages = take_cluster(file);
    if (!pages.empty()) return {&file, pages};
  }
  return {};
}

Task<> LinuxPageCache::write_and_release(Run run) {
  co_await write_out(*run.file, run.pages, false);
  in_flight_ -= run.pages.length;
  requests_.release();
}

Task<> LinuxPageCache::start_write(Run run) {
  in_flight_ += run.pages.length;
  co_await requests_.acquire();
  sim_->spawn(write_and_release(run), "write-back");
}

Task<> LinuxPageCache::write_old() {
  for (;;) {
    while (dirty_ == 0_B) {
      co_await dirtied_.wait();
    }
    co_await sim_->delay(config_.wake);
    const SimTime before = sim_->now() - config_.expire;
    for (;;) {
      const Run run = take_older(before);
      if (run.file == nullptr) break;
      co_await start_write(run);
    }
  }
}

Task<> LinuxPageCache::write_in_background() {
  for (;;) {
    while (waiting_dirty() <= background_limit_) {
      co_await too_dirty_.wait();
    }
    while (waiting_dirty() > background_stop_) {
      Bytes written;
      while (written < config_.batch) {
        const Run run = take_next();
        if (run.file == nullptr) break;
        written += run.pages.length;
        co_await start_write(run);
      }
      // All that is dirty may be dirty again while its former content is being written.
      if (written == 0_B) {
        co_await progress_.wait();
      }
    }
  }
}

}  // namespace copysim
