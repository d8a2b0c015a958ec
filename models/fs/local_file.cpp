#include "local_file.hpp"

#include <algorithm>

namespace copysim {

LocalFile::LocalFile(LocalStore& store, FileNode& node, OpenOptions options)
    : store_{&store},
      node_{&node},
      options_{options},
      reader_{store.cache_->open(node.cached, options.sequential)} {}

Task<ReadResult> LocalFile::read(Extent extent) {
  co_await store_->cpu_->run(store_->config_.call_cpu, CpuWork::thread);
  const Bytes end = std::min(extent.end(), node_->end);
  if (end <= extent.offset) co_return ReadResult{IoStatus::end_of_file};
  const Extent inside{extent.offset, end - extent.offset};
  if (options_.cached) {
    ReadResult result = co_await reader_->read(inside);
    co_return result;
  }
  if (node_->cached.dirty > 0_B || node_->cached.writing > 0_B) {
    const IoStatus flushed = co_await store_->cache_->flush(node_->cached);
    if (flushed != IoStatus::ok) co_return ReadResult{flushed};
  }
  ReadResult result = co_await node_->page_in(inside);
  co_return result;
}

Task<IoStatus> LocalFile::write(Bytes offset, Content content) {
  written_ = true;
  entry_current_ = false;
  const IoStatus status = co_await store_->write(*node_, offset, std::move(content), options_);
  co_return status;
}

Task<IoStatus> LocalFile::set_size(Bytes size) {
  written_ = true;
  const bool grows = size > node_->map.allocated();
  if (grows) {
    const IoStatus grown = co_await store_->grow(*node_, size);
    if (grown != IoStatus::ok) co_return grown;
  }
  node_->end = size;
  node_->valid_data = std::min(node_->valid_data, size);
  // Growing has written the new size with the new space.
  if (grows) co_return IoStatus::ok;
  const IoStatus status = co_await store_->file_system_->changed(*node_);
  co_return status;
}

Task<IoStatus> LocalFile::set_times() {
  entry_current_ = true;
  const IoStatus status = co_await store_->file_system_->changed(*node_);
  co_return status;
}

Task<IoStatus> LocalFile::flush() {
  const IoStatus data = co_await store_->cache_->flush(node_->cached);
  if (data != IoStatus::ok) co_return data;
  const IoStatus metadata = co_await store_->file_system_->flushed(*node_);
  if (metadata != IoStatus::ok) co_return metadata;
  const IoStatus status = co_await store_->volume_->flush();
  co_return status;
}

Task<IoStatus> LocalFile::close() {
  if (written_ && !store_->file_system_->lazy()) {
    const IoStatus flushed = co_await store_->cache_->flush(node_->cached);
    if (flushed != IoStatus::ok) co_return flushed;
  }
  const IoStatus status =
      co_await store_->file_system_->closed(*node_, written_ && !entry_current_);
  co_return status;
}

}  // namespace copysim
