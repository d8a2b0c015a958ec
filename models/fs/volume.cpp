#include <copysim/models/fs/volume.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <copysim/sim/task_group.hpp>

namespace copysim {

namespace {

constexpr Bytes sector = 512_B;

Bytes position(Bytes capacity, double part, Bytes alignment) {
  const auto at = static_cast<std::int64_t>(static_cast<double>(capacity.count()) * part);
  return align_down(Bytes{at}, alignment);
}

}  // namespace

Volume::Volume(Simulation& sim, BlockDevice& device, Cpu& cpu, VolumeConfig config)
    : sim_{&sim},
      device_{&device},
      cpu_{&cpu},
      config_{config},
      next_existing_{position(device.capacity(), config.files_at, config.alignment)},
      next_free_{position(device.capacity(), config.free_at, config.alignment)},
      places_{sim.random("places of files")},
      sizes_{sim.random("sizes of fragments")} {}

bool Volume::take(Bytes& next, FileMap& map, Bytes length) {
  const Bytes space = align_up(length, config_.cluster);
  if (next + space > device_->capacity()) return false;
  map.append({next, space});
  next += space;
  return true;
}

// Draws places until one is free; gives up when the part of the disk is as good as full.
bool Volume::scatter(FileMap& map, Bytes space) {
  constexpr int most_draws = 1000;
  const std::int64_t first = next_existing_ / config_.cluster;
  const std::int64_t choice = next_free_ / config_.cluster - first - space / config_.cluster;
  if (choice <= 0) return false;
  for (int draw = 0; draw < most_draws; ++draw) {
    const auto cluster =
        first + static_cast<std::int64_t>(places_.below(static_cast<std::uint64_t>(choice)));
    const Bytes at = config_.cluster * cluster;
    const auto after = scattered_.lower_bound(at.count());
    const bool before_free = after == scattered_.begin() ||
                             Bytes{std::prev(after)->first} + std::prev(after)->second <= at;
    const bool after_free = after == scattered_.end() || at + space <= Bytes{after->first};
    if (!before_free || !after_free) continue;
    scattered_.emplace(at.count(), space);
    map.append({at, space});
    return true;
  }
  return false;
}

// Lognormal with this mean: exp(mu + sigma z) has the mean exp(mu + sigma^2 / 2). Whole clusters.
Bytes Volume::draw_size(Bytes mean) {
  const double sigma = config_.fragment_sigma;
  const double mu = std::log(static_cast<double>(mean.count())) - sigma * sigma / 2;
  const auto size = static_cast<std::int64_t>(sizes_.lognormal(mu, sigma));
  return std::max(config_.cluster, align_up(Bytes{size}, config_.cluster));
}

bool Volume::take_runs(FileMap& map, Bytes space) {
  while (space > 0_B) {
    if (run_left_ == 0_B) {
      next_free_ += draw_size(config_.free_run);  // taken by others
      run_left_ = draw_size(config_.free_run);
    }
    const Bytes part = std::min(space, run_left_);
    if (!take(next_free_, map, part)) return false;
    run_left_ -= part;
    space -= part;
  }
  return true;
}

bool Volume::allocate_existing(FileMap& map, Bytes length) {
  if (config_.fragment > 0_B) {
    for (Bytes left = align_up(length, config_.cluster); left > 0_B;) {
      const Bytes part = std::min(left, draw_size(config_.fragment));
      if (!scatter(map, part)) return false;
      left -= part;
    }
    return true;
  }
  if (config_.scattered) return scatter(map, align_up(length, config_.cluster));
  return take(next_existing_, map, length);
}

bool Volume::allocate(FileMap& map, Bytes length) {
  if (config_.free_run > 0_B) return take_runs(map, align_up(length, config_.cluster));
  return take(next_free_, map, length);
}

void Volume::place(const FileMap& map, const Content& content) {
  Bytes at;
  map.for_pieces({Bytes{}, content.size()}, [&](Extent device) {
    medium_.write(device.offset, content.slice({at, device.length}));
    at += device.length;
  });
}

Content Volume::peek(const FileMap& map, Extent extent) const {
  Content content;
  map.for_pieces(extent, [&](Extent device) { content.append(medium_.read(device)); });
  return content;
}

Task<> Volume::piece(BlockRequest request, IoStatus& status) {
  co_await cpu_->run(config_.request_cpu, CpuWork::storage);
  const IoStatus one = co_await device_->submit(request);
  if (one != IoStatus::ok) status = one;
}

Task<IoStatus> Volume::transfer(const FileMap& map, Access access, Extent extent,
                                bool force_unit_access) {
  IoStatus status = IoStatus::ok;
  const Bytes most = device_->max_request();
  // The common case, one request, needs no group.
  BlockRequest first{access, {}, force_unit_access};
  TaskGroup others{*sim_};
  map.for_pieces(extent, [&](Extent device) {
    for (Bytes at = device.offset; at < device.end(); at += most) {
      const Bytes length = std::min(most, device.end() - at);
      const Extent sectors{at, align_up(length, sector)};
      if (first.extent.empty()) {
        first.extent = sectors;
      } else {
        others.spawn(piece({access, sectors, force_unit_access}, status));
      }
    }
  });
  if (first.extent.empty()) co_return status;
  co_await piece(first, status);
  co_await others.join();
  co_return status;
}

Task<ReadResult> Volume::read(const FileMap& map, Extent extent) {
  const IoStatus status = co_await transfer(map, Access::read, extent, false);
  if (status != IoStatus::ok) co_return ReadResult{status};
  co_return ReadResult{IoStatus::ok, peek(map, extent)};
}

Task<IoStatus> Volume::write(const FileMap& map, Bytes offset, Content content,
                             bool force_unit_access) {
  const Extent extent{offset, content.size()};
  const IoStatus status = co_await transfer(map, Access::write, extent, force_unit_access);
  if (status != IoStatus::ok) co_return status;
  Bytes at;
  map.for_pieces(extent, [&](Extent device) {
    medium_.write(device.offset, content.slice({at, device.length}));
    at += device.length;
  });
  co_return IoStatus::ok;
}

Task<IoStatus> Volume::metadata(Access access, Extent device, bool to_medium) {
  IoStatus status = IoStatus::ok;
  const BlockRequest request{access, device, to_medium};
  co_await piece(request, status);
  co_return status;
}

}  // namespace copysim
