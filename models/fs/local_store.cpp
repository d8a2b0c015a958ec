#include <copysim/models/fs/local_store.hpp>

#include <algorithm>

#include <copysim/error.hpp>

#include "local_file.hpp"

namespace copysim {

namespace {

constexpr Bytes sector{512};  // commands to devices are whole ones (`BlockDevice`)

}  // namespace

LocalStore::LocalStore(Simulation& sim, Volume& volume, FileSystem& file_system, FileCache& cache,
                       Cpu& cpu, LocalStoreConfig config, std::uint32_t first_id)
    : sim_{&sim},
      volume_{&volume},
      file_system_{&file_system},
      cache_{&cache},
      cpu_{&cpu},
      config_{config},
      first_id_{first_id} {}

FileNode& LocalStore::add_node(const std::string& name) {
  const auto index = static_cast<std::uint32_t>(files_.size());
  auto node = std::make_unique<FileNode>(*sim_, *volume_, name, first_id_ + index, index);
  return *files_.emplace(name, std::move(node)).first->second;
}

void LocalStore::add(const std::string& name, Bytes size) {
  if (files_.contains(name)) throw ConfigError{"volume", "file names must differ, got " + name};
  const auto bytes = [](Bytes count) { return std::to_string(count.count()) + " B"; };
  if (size > file_system_->largest_file()) {
    throw ConfigError{std::string{file_system_->name()},
                      "a file must be at most " + bytes(file_system_->largest_file()) + ", got " +
                          name + " of " + bytes(size)};
  }
  FileNode& node = add_node(name);
  if (!volume_->allocate_existing(node.map, size)) {
    throw ConfigError{"volume",
                      "must have room behind files_at for the files of the workload, got " + name +
                          " of " + bytes(size) + " on a drive of " + bytes(volume_->capacity())};
  }
  node.end = size;
  node.valid_data = size;
  volume_->place(node.map, Content{Origin{node.id, 0, Bytes{}}, size});
}

Content LocalStore::peek(const std::string& name) const {
  const auto it = files_.find(name);
  if (it == files_.end()) throw SimulationError{"volume: no file named " + name};
  const FileNode& node = *it->second;
  return volume_->peek(node.map, {Bytes{}, node.end});
}

std::vector<FileStore::Entry> LocalStore::entries() const {
  std::vector<Entry> result;
  for (const auto& [name, node] : files_) result.push_back({name, node->end});
  return result;
}

Task<OpenResult> LocalStore::open(std::string name, OpenOptions options) {
  const auto it = files_.find(name);
  if (it == files_.end() && !options.create) {
    const IoStatus status = co_await file_system_->queried();
    co_return OpenResult{status == IoStatus::ok ? IoStatus::not_found : status};
  }
  if (it == files_.end()) {
    FileNode& node = add_node(name);
    const IoStatus status = co_await file_system_->created(node);
    if (status != IoStatus::ok) co_return OpenResult{status};
    co_return OpenResult{std::make_unique<LocalFile>(*this, node, options)};
  }
  FileNode& node = *it->second;
  const IoStatus status = co_await file_system_->opened(node);
  if (status != IoStatus::ok) co_return OpenResult{status};
  if (options.create) {
    cache_->forget(node.cached);
    node.end = node.valid_data = Bytes{};
    // What is being written back still belongs to the old file and must not come after the new.
    while (node.cached.writing > 0_B) {
      co_await node.cached.changed.wait();
    }
  }
  co_return OpenResult{std::make_unique<LocalFile>(*this, node, options)};
}

Task<IoStatus> LocalStore::query(std::string name) {
  const IoStatus status = co_await file_system_->queried();
  if (status != IoStatus::ok) co_return status;
  co_return files_.contains(name) ? IoStatus::ok : IoStatus::not_found;
}

Task<std::vector<FileStore::Entry>> LocalStore::list() {
  const IoStatus status = co_await file_system_->listed(files_.size());
  if (status != IoStatus::ok) co_return std::vector<Entry>{};
  co_return entries();
}

Task<IoStatus> LocalStore::settle() {
  IoStatus status = IoStatus::ok;
  for (const auto& [name, node] : files_) {
    const IoStatus one = co_await cache_->flush(node->cached);
    if (status == IoStatus::ok) status = one;
  }
  const IoStatus metadata = co_await file_system_->settle();
  const IoStatus device = co_await volume_->flush();
  for (const IoStatus one : {metadata, device}) {
    if (status == IoStatus::ok) status = one;
  }
  co_return status;
}

Task<IoStatus> LocalStore::grow(FileNode& node, Bytes size) {
  if (size > file_system_->largest_file()) co_return IoStatus::too_large;
  const Bytes more = align_up(size - node.map.allocated(), volume_->config().cluster);
  if (!volume_->allocate(node.map, more)) co_return IoStatus::disk_full;
  const IoStatus status = co_await file_system_->extended(node, more);
  co_return status;
}

Task<IoStatus> LocalStore::zero(FileNode& node, Extent gap, OpenOptions options) {
  ++file_system_->counters().out_of_order_writes;
  file_system_->counters().zero_filled += gap.length;
  // Nothing behind the valid data length is in the cache, so zeros may go around it.
  const bool lazily = options.cached && !options.write_through;
  const Bytes step = lazily ? view_size : config_.zero_transfer;
  for (Bytes at = gap.offset; at < gap.end();) {
    Bytes length = std::min(step, gap.end() - at);
    // A sector that holds valid data, or will, is in a page of the cache.
    const Bytes next_sector = align_up(at + 1_B, sector);
    const bool whole = align_down(at, sector) == at && length >= sector;
    if (!lazily && !whole) length = std::min(length, next_sector - at);
    if (!lazily && whole) length = align_down(length, sector);
    IoStatus status = IoStatus::ok;
    if (lazily || (options.cached && !whole)) {
      status = co_await put(node, at, Content::zeros(length), options);
    } else {
      const bool forced = options.write_through && config_.zeros_to_medium;
      status = co_await volume_->write(node.map, at, Content::zeros(length), forced);
    }
    if (status != IoStatus::ok) co_return status;
    at += length;
    node.valid_data = std::max(node.valid_data, at);
  }
  co_return IoStatus::ok;
}

// Puts bytes at or before the valid data length: into the cache or on the device.
Task<IoStatus> LocalStore::put(FileNode& node, Bytes offset, Content content, OpenOptions options) {
  if (!options.cached) {
    if (!node.cached.views.empty()) {
      const IoStatus flushed = co_await cache_->flush(node.cached);
      if (flushed != IoStatus::ok) co_return flushed;
      cache_->forget(node.cached);
    }
    const IoStatus status =
        co_await volume_->write(node.map, offset, std::move(content), options.write_through);
    co_return status;
  }
  const Extent extent{offset, content.size()};
  const Writer writer = options.for_remote_client ? Writer::remote_client : Writer::program;
  const IoStatus written =
      co_await cache_->write(node.cached, offset, std::move(content), node.valid_data, writer);
  if (written != IoStatus::ok) co_return written;
  if (!options.write_through) co_return IoStatus::ok;
  const IoStatus status = co_await cache_->flush_part(node.cached, extent, true);
  co_return status;
}

Task<IoStatus> LocalStore::write(FileNode& node, Bytes offset, Content content,
                                 OpenOptions options) {
  co_await cpu_->run(config_.call_cpu, CpuWork::thread);
  const Bytes end = offset + content.size();
  if (end <= node.valid_data) {
    const IoStatus status = co_await put(node, offset, std::move(content), options);
    co_return status;
  }
  // Only one write at a time may move the valid data length; the file is held until it is done.
  co_await node.extending.acquire();
  IoStatus status = IoStatus::ok;
  if (end > node.map.allocated()) {
    status = co_await grow(node, end);
  }
  if (status == IoStatus::ok && offset > node.valid_data) {
    const Extent gap{node.valid_data, offset - node.valid_data};
    status = co_await zero(node, gap, options);
  }
  if (status == IoStatus::ok) {
    // The end of file moves before the data goes to the cache, the valid data length after it.
    node.end = std::max(node.end, end);
    status = co_await put(node, offset, std::move(content), options);
  }
  // Another write may have moved it past this one while this one waited for the file.
  if (status == IoStatus::ok && end > node.valid_data) {
    node.valid_data = end;
    if (options.write_through) {
      status = co_await file_system_->moved_through(node);
    }
  }
  node.extending.release();
  co_return status;
}

}  // namespace copysim
