#include <copysim/models/fs/fat32.hpp>

namespace copysim {

namespace {

constexpr Bytes directory_entry = 64_B;  // a long and a short name entry

}  // namespace

Fat32::Fat32(Volume& volume, Cpu& cpu, Fat32Config config)
    : volume_{&volume}, cpu_{&cpu}, config_{config} {
  const std::int64_t clusters = volume.capacity() / volume.config().cluster;
  table_ = align_up(config.entry * clusters, config.write_unit);
  directory_ = table_ * 2;
}

Task<IoStatus> Fat32::write(Bytes address, Bytes length) {
  const Bytes from = align_down(address, config_.write_unit);
  const Bytes to = align_up(address + length, config_.write_unit);
  ++counters_.metadata_writes;
  const IoStatus status = co_await volume_->metadata(Access::write, {from, to - from});
  co_return status;
}

Task<IoStatus> Fat32::write_directory(const FileNode& file) {
  const IoStatus status =
      co_await write(directory_ + directory_entry * file.index, directory_entry);
  co_return status;
}

Task<IoStatus> Fat32::opened(FileNode&) {
  ++counters_.opens;
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  co_return IoStatus::ok;
}

Task<IoStatus> Fat32::created(FileNode& file) {
  ++counters_.creates;
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  const IoStatus status = co_await write_directory(file);
  co_return status;
}

Task<IoStatus> Fat32::extended(FileNode& file, Bytes by) {
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  const Bytes cluster = volume_->config().cluster;
  const Bytes first = file.map.extents().back().end() - by;
  const Bytes entries_at = config_.entry * (first / cluster);
  const Bytes length = config_.entry * pieces(by, cluster);
  const IoStatus one = co_await write(entries_at, length);
  if (one != IoStatus::ok) co_return one;
  const IoStatus two = co_await write(table_ + entries_at, length);
  if (two != IoStatus::ok) co_return two;
  const IoStatus status = co_await write_directory(file);
  co_return status;
}

Task<IoStatus> Fat32::changed(FileNode& file) {
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  const IoStatus status = co_await write_directory(file);
  co_return status;
}

// FAT keeps no valid data length on the medium.
Task<IoStatus> Fat32::moved_through(FileNode&) {
  co_return IoStatus::ok;
}

Task<IoStatus> Fat32::closed(FileNode& file, bool written) {
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  if (!written) co_return IoStatus::ok;
  const IoStatus status = co_await write_directory(file);
  co_return status;
}

Task<IoStatus> Fat32::queried() {
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  co_return IoStatus::ok;
}

Task<IoStatus> Fat32::listed(std::size_t entries) {
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  const Bytes length =
      align_up(directory_entry * static_cast<std::int64_t>(entries), config_.write_unit);
  if (length == Bytes{}) co_return IoStatus::ok;
  ++counters_.metadata_reads;
  const IoStatus status = co_await volume_->metadata(Access::read, {directory_, length});
  co_return status;
}

Task<IoStatus> Fat32::flushed(FileNode&) {
  co_return IoStatus::ok;
}

Task<IoStatus> Fat32::settle() {
  co_return IoStatus::ok;
}

}  // namespace copysim
