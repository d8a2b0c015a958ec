#include <copysim/models/fs/ext2.hpp>

#include <algorithm>

namespace copysim {

namespace {

// Blocks of a group's start: super block and group descriptors, then these.
constexpr std::int64_t block_bitmap = 2;
constexpr std::int64_t inode_bitmap = 3;
constexpr std::int64_t inode_table = 4;

}  // namespace

Ext2::Ext2(Simulation& sim, Volume& volume, Cpu& cpu, Ext2Config config)
    : sim_{&sim}, volume_{&volume}, cpu_{&cpu}, config_{config}, dirtied_{sim} {
  const auto at = static_cast<std::int64_t>(static_cast<double>(volume.capacity().count()) *
                                            volume.config().files_at);
  home_ = align_down(Bytes{at}, config.group);
  sim.spawn(write_old(), "ext2 kupdate");
}

Bytes Ext2::group_of(const FileNode& file) const {
  const auto& extents = file.map.extents();
  // A file without space has its inode in the group of its directory.
  return extents.empty() ? home_ : align_down(extents.front().offset, config_.group);
}

Bytes Ext2::inode_block(const FileNode& file) const {
  const std::int64_t in_group = std::int64_t{file.index} % config_.inodes_per_group;
  const std::int64_t inodes_per_block = config_.block / config_.inode;
  return group_of(file) + config_.block * (inode_table + in_group / inodes_per_block);
}

Bytes Ext2::directory_block(std::uint32_t entry) const {
  const std::int64_t tables = pieces(config_.inode * config_.inodes_per_group, config_.block);
  const std::int64_t block = entry / static_cast<std::uint32_t>(config_.entries_per_block);
  return home_ + config_.block * (inode_table + tables + block);
}

void Ext2::dirty(Bytes block) {
  if (dirty_.empty()) dirtied_.notify_all();
  dirty_.try_emplace(block.count(), sim_->now());
  present_.insert(block.count());
  note_changed(block);
}

Task<IoStatus> Ext2::bring_in(Bytes block) {
  if (!present_.insert(block.count()).second) co_return IoStatus::ok;
  ++counters_.metadata_reads;
  const IoStatus status = co_await volume_->metadata(Access::read, {block, config_.block});
  co_return status;
}

Task<IoStatus> Ext2::opened(FileNode& file) {
  ++counters_.opens;
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  const IoStatus entry = co_await bring_in(directory_block(file.index));
  if (entry != IoStatus::ok) co_return entry;
  const IoStatus inode = co_await bring_in(inode_block(file));
  if (inode != IoStatus::ok) co_return inode;
  // The first block of addresses lies with the data, just before what it maps.
  if (file.map.allocated() <= config_.block * config_.direct_blocks) co_return IoStatus::ok;
  const Bytes addresses = file.map.extents().front().offset;
  const IoStatus status = co_await bring_in(addresses + config_.block * config_.direct_blocks);
  co_return status;
}

Task<IoStatus> Ext2::created(FileNode& file) {
  ++counters_.creates;
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  dirty(directory_block(file.index));
  dirty(home_ + config_.block * inode_bitmap);
  co_return IoStatus::ok;
}

Task<IoStatus> Ext2::extended(FileNode& file, Bytes by) {
  const std::int64_t blocks = file.map.allocated() / config_.block;
  const std::int64_t before = blocks - by / config_.block;
  const Bytes last = file.map.extents().back().end() - config_.block;
  dirty(align_down(last, config_.group) + config_.block * block_bitmap);
  // A block of addresses for each 1,024 blocks behind the first 12.
  const auto maps = [this](std::int64_t n) {
    return (std::max<std::int64_t>(n - config_.direct_blocks, 0) + config_.addresses_per_block -
            1) /
           config_.addresses_per_block;
  };
  if (maps(blocks) > maps(before)) dirty(align_down(last, config_.block));
  dirty(inode_block(file));
  // A write of one block at a time allocates at each: that is part of the cost of the call.
  co_return IoStatus::ok;
}

Task<IoStatus> Ext2::changed(FileNode& file) {
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  dirty(inode_block(file));
  co_return IoStatus::ok;
}

// ext2 keeps no valid data length; O_SYNC writes the inode with the data.
Task<IoStatus> Ext2::moved_through(FileNode& file) {
  const IoStatus status = co_await flushed(file);
  co_return status;
}

Task<IoStatus> Ext2::closed(FileNode& file, bool written) {
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  if (written) dirty(inode_block(file));
  co_return IoStatus::ok;
}

Task<IoStatus> Ext2::queried() {
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  co_return IoStatus::ok;
}

Task<IoStatus> Ext2::listed(std::size_t entries) {
  co_await cpu_->run(config_.operation_cpu, CpuWork::thread);
  for (std::size_t entry = 0; entry < entries;
       entry += static_cast<std::size_t>(config_.entries_per_block)) {
    const IoStatus status = co_await bring_in(directory_block(static_cast<std::uint32_t>(entry)));
    if (status != IoStatus::ok) co_return status;
  }
  co_return IoStatus::ok;
}

Task<IoStatus> Ext2::write_back(SimTime before) {
  IoStatus status = IoStatus::ok;
  // By address, one run of neighbours after the other; what becomes dirty meanwhile waits.
  for (auto it = dirty_.begin(); it != dirty_.end();) {
    if (it->second > before) {
      ++it;
      continue;
    }
    const Bytes first{it->first};
    Bytes end = first;
    while (it != dirty_.end() && it->first == end.count() && it->second <= before) {
      end += config_.block;
      it = dirty_.erase(it);
    }
    ++counters_.metadata_writes;
    const IoStatus one = co_await volume_->metadata(Access::write, {first, end - first});
    if (status == IoStatus::ok) status = one;
    it = dirty_.lower_bound(end.count());
  }
  co_return status;
}

Task<> Ext2::write_old() {
  for (;;) {
    while (dirty_.empty()) {
      co_await dirtied_.wait();
    }
    co_await sim_->delay(config_.wake);
    co_await write_back(sim_->now() - config_.expire);
  }
}

Task<IoStatus> Ext2::flushed(FileNode& file) {
  const Bytes block = inode_block(file);
  dirty_.erase(block.count());
  ++counters_.metadata_writes;
  const IoStatus status = co_await volume_->metadata(Access::write, {block, config_.block});
  co_return status;
}

Task<IoStatus> Ext2::settle() {
  const IoStatus status = co_await write_back(sim_->now());
  co_return status;
}

}  // namespace copysim
