#include <copysim/models/storage/disk_array.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/models/storage/disk_geometry.hpp>
#include <copysim/sim/task_group.hpp>

#include "request_check.hpp"

namespace copysim {

namespace {

std::int64_t distance(Bytes a, Bytes b) {
  return a < b ? (b - a).count() : (a - b).count();
}

}  // namespace

std::string_view to_string(ArrayLevel level) {
  switch (level) {
    case ArrayLevel::none:
      return "none";
    case ArrayLevel::raid_0:
      return "raid-0";
    case ArrayLevel::raid_1:
      return "raid-1";
    case ArrayLevel::raid_5:
      return "raid-5";
  }
  return "?";
}

DiskArray::DiskArray(Simulation& sim, const Config& config,
                     std::vector<std::unique_ptr<BlockDevice>> drives)
    : sim_{sim},
      config_{config},
      drives_{std::move(drives)},
      under_way_(drives_.size()),
      last_end_(drives_.size()) {
  const auto disks = static_cast<std::int64_t>(drives_.size());
  const std::int64_t least = config.level == ArrayLevel::raid_5 ? 3 : 2;
  if (disks < least)
    throw ConfigError{id, "disks must be at least " + std::to_string(least) + " for " +
                              std::string{to_string(config.level)} + ", got " +
                              std::to_string(disks)};
  if (config.stripe % sector_size != 0_B)
    throw ConfigError{id, "stripe must be whole sectors of 512 B, got " +
                              std::to_string(config.stripe.count()) + " B"};
  rows_ = drives_.front()->capacity() / config.stripe;
  if (config.level == ArrayLevel::raid_0) units_per_row_ = disks;
  if (config.level == ArrayLevel::raid_5) units_per_row_ = disks - 1;
  capacity_ = config.level == ArrayLevel::raid_1 ? drives_.front()->capacity()
                                                 : config.stripe * rows_ * units_per_row_;
}

Task<IoStatus> DiskArray::submit(BlockRequest request) {
  check_request(id, request, capacity_);
  if (config_.level == ArrayLevel::raid_1) return run({}, mirrored(request));
  if (config_.level == ArrayLevel::raid_0 || request.access == Access::read)
    return run({}, striped(request));
  Pieces first;
  Pieces then;
  const Bytes row_size = config_.stripe * units_per_row_;
  const std::int64_t last = (request.extent.end() - 1_B) / row_size;
  for (std::int64_t row = request.extent.offset / row_size; row <= last; ++row) {
    BlockRequest part = request;
    const Bytes begin = std::max(request.extent.offset, row_size * row);
    const Bytes end = std::min(request.extent.end(), row_size * (row + 1));
    part.extent = {begin - row_size * row, end - begin};
    add_row(part, row, first, then);
  }
  return run(std::move(first), std::move(then));
}

// Unit `index` of a row, of which `inside` is meant; the parity is the one behind the data.
DiskArray::Piece DiskArray::unit(std::int64_t row, std::int64_t index, Extent inside) const {
  const auto disks = static_cast<std::int64_t>(drives_.size());
  std::int64_t drive = index;
  if (config_.level == ArrayLevel::raid_5) {
    const std::int64_t parity = disks - 1 - row % disks;
    drive = index == units_per_row_ ? parity : (parity + 1 + index) % disks;
  }
  Piece piece{static_cast<std::size_t>(drive), {}};
  piece.request.extent = {config_.stripe * row + inside.offset, inside.length};
  return piece;
}

void DiskArray::add(Pieces& pieces, const Piece& piece) {
  for (Piece& known : pieces) {
    if (known.drive == piece.drive && known.request.access == piece.request.access &&
        known.request.extent.end() == piece.request.extent.offset) {
      known.request.extent.length += piece.request.extent.length;
      return;
    }
  }
  pieces.push_back(piece);
}

DiskArray::Pieces DiskArray::striped(const BlockRequest& request) const {
  Pieces pieces;
  Bytes at = request.extent.offset;
  while (at < request.extent.end()) {
    const std::int64_t number = at / config_.stripe;
    const Bytes inside = at % config_.stripe;
    const Bytes length = std::min(config_.stripe - inside, request.extent.end() - at);
    Piece piece = unit(number / units_per_row_, number % units_per_row_, {inside, length});
    piece.request.access = request.access;
    piece.request.force_unit_access = request.force_unit_access;
    add(pieces, piece);
    at += length;
  }
  return pieces;
}

DiskArray::Pieces DiskArray::mirrored(const BlockRequest& request) const {
  Pieces pieces;
  if (request.access == Access::write) {
    for (std::size_t i = 0; i < drives_.size(); ++i) pieces.push_back({i, request});
    return pieces;
  }
  std::size_t best = 0;
  const auto cost = [&](std::size_t i) {
    return std::pair{under_way_[i], distance(last_end_[i], request.extent.offset)};
  };
  for (std::size_t i = 1; i < drives_.size(); ++i) {
    if (cost(i) < cost(best)) best = i;
  }
  pieces.push_back({best, request});
  return pieces;
}

void DiskArray::add_row(const BlockRequest& request, std::int64_t row, Pieces& first,
                        Pieces& then) const {
  const Extent whole{0_B, config_.stripe};
  // The parity of all that is touched: the range of the one unit, or all of them if more are.
  const std::int64_t from = request.extent.offset / config_.stripe;
  const std::int64_t to = (request.extent.end() - 1_B) / config_.stripe;
  const Extent parity =
      from == to ? Extent{request.extent.offset % config_.stripe, request.extent.length} : whole;
  const bool units_whole =
      request.extent.offset % config_.stripe == 0_B && request.extent.end() % config_.stripe == 0_B;
  const std::int64_t touched = to - from + 1;
  const std::int64_t untouched = units_per_row_ - touched;
  const bool complete = units_whole && untouched == 0;
  const bool from_the_rest = units_whole && untouched < touched + 1;
  const auto with = [&](Piece piece, Access access) {
    piece.request.access = access;
    piece.request.force_unit_access = access == Access::write && request.force_unit_access;
    return piece;
  };
  for (std::int64_t index = 0; index < units_per_row_; ++index) {
    const Bytes begin = std::max(request.extent.offset, config_.stripe * index);
    const Bytes end = std::min(request.extent.end(), config_.stripe * (index + 1));
    const Extent inside{begin - config_.stripe * index, end - begin};
    const bool is_touched = index >= from && index <= to;
    if (is_touched && !complete && !from_the_rest)
      add(first, with(unit(row, index, inside), Access::read));
    if (!is_touched && from_the_rest) add(first, with(unit(row, index, whole), Access::read));
    if (is_touched) add(then, with(unit(row, index, inside), Access::write));
  }
  const Piece parity_unit = unit(row, units_per_row_, parity);
  if (!complete && !from_the_rest) add(first, with(parity_unit, Access::read));
  add(then, with(parity_unit, Access::write));
}

Task<IoStatus> DiskArray::run(Pieces first, Pieces then) {
  IoStatus status = IoStatus::ok;
  if (!first.empty()) {
    co_await all_of_them(std::move(first), status);
  }
  if (status == IoStatus::ok) {
    co_await all_of_them(std::move(then), status);
  }
  count();
  co_return status;
}

Task<> DiskArray::all_of_them(Pieces pieces, IoStatus& status) {
  if (pieces.size() == 1) {
    co_await one(pieces.front(), status);
    co_return;
  }
  TaskGroup group{sim_};
  for (const Piece& piece : pieces) group.spawn(one(piece, status));
  co_await group.join();
}

Task<> DiskArray::one(Piece piece, IoStatus& status) {
  ++under_way_[piece.drive];
  last_end_[piece.drive] = piece.request.extent.end();
  const IoStatus done = co_await drives_[piece.drive]->submit(piece.request);
  --under_way_[piece.drive];
  if (done != IoStatus::ok) status = done;
}

Task<IoStatus> DiskArray::flush() {
  IoStatus status = IoStatus::ok;
  for (const auto& drive : drives_) {
    const IoStatus one_status = co_await drive->flush();
    if (one_status != IoStatus::ok) status = one_status;
  }
  count();
  co_return status;
}

void DiskArray::count() {
  counters_ = {};
  for (const auto& drive : drives_) {
    const DeviceCounters& c = drive->counters();
    counters_.reads += c.reads;
    counters_.writes += c.writes;
    counters_.bytes_read += c.bytes_read;
    counters_.bytes_written += c.bytes_written;
    counters_.seeks += c.seeks;
    counters_.cache_hits += c.cache_hits;
    counters_.erased_blocks += c.erased_blocks;
    counters_.seek_time += c.seek_time;
    counters_.rotation_time += c.rotation_time;
    counters_.transfer_time += c.transfer_time;
    counters_.overhead_time += c.overhead_time;
    counters_.busy_time += c.busy_time;
    counters_.background_time += c.background_time;
  }
}

}  // namespace copysim
