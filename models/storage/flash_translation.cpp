#include <copysim/models/storage/flash_translation.hpp>

#include <algorithm>
#include <string>

#include <copysim/error.hpp>

namespace copysim {

FlashTranslation::FlashTranslation(Config config) : config_{config} {
  if (config.page <= Bytes{0} || config.erase_block % config.page != Bytes{0})
    throw ConfigError{"usb-stick", "flash.page must divide flash.erase_block, got " +
                                       std::to_string(config.page.count()) + " B"};
  if (config.open_blocks < 1)
    throw ConfigError{"usb-stick", "flash.open_blocks must be at least 1, got " +
                                       std::to_string(config.open_blocks)};
  if (config.read_rate <= Bandwidth{0} || config.program_rate <= Bandwidth{0})
    throw ConfigError{"usb-stick",
                      "flash.read_rate and flash.program_rate must be positive, got " +
                          std::to_string(config.read_rate.bytes_per_second()) + " B/s and " +
                          std::to_string(config.program_rate.bytes_per_second()) + " B/s"};
  open_.reserve(static_cast<std::size_t>(config.open_blocks));
}

FlashTimes FlashTranslation::read(Extent extent) {
  FlashTimes times{.transfer = extent.length / config_.read_rate};
  if (extent.offset != next_read_) times.access = config_.access_time;
  next_read_ = extent.end();
  return times;
}

FlashTimes FlashTranslation::write(Extent extent) {
  FlashTimes times;
  while (!extent.empty()) {
    const std::int64_t block = extent.offset / config_.erase_block;
    const Bytes inside = extent.offset % config_.erase_block;
    const Bytes length = std::min(extent.length, config_.erase_block - inside);
    write_piece(block, {inside, length}, times);
    extent = {extent.offset + length, extent.length - length};
  }
  return times;
}

void FlashTranslation::write_piece(std::int64_t block, Extent inside, FlashTimes& times) {
  const Bytes programmed =
      align_up(inside.end(), config_.page) - align_down(inside.offset, config_.page);
  OpenBlock* target = &open(block, inside, times);
  if (target->used + programmed > config_.erase_block) {
    // The update block is full: fold it, and go on in a fresh one.
    close(*target, times);
    *target = OpenBlock{block, align_down(inside.offset, config_.page), inside.offset};
  }
  if (inside.offset < target->end) target->scattered = true;
  // A step forward keeps the block in order: the pages between are copied from the old block.
  const Bytes skipped =
      align_down(inside.offset, config_.page) - align_up(target->end, config_.page);
  if (!target->scattered && skipped > Bytes{0}) {
    times.merge += copy_time(skipped);
    target->used += skipped;
  }
  target->end = std::max(target->end, inside.end());
  target->used += programmed;
  target->last_use = ++uses_;
  times.transfer += programmed / config_.program_rate;

  if (!target->scattered && target->end - target->begin == config_.erase_block) {
    close(*target, times);
    *target = open_.back();
    open_.pop_back();
  }
}

FlashTranslation::OpenBlock& FlashTranslation::open(std::int64_t block, Extent inside,
                                                    FlashTimes& times) {
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const OpenBlock& o) { return o.block == block; });
  if (found != open_.end()) return *found;
  const OpenBlock fresh{block, align_down(inside.offset, config_.page), inside.offset};
  if (open_.size() < static_cast<std::size_t>(config_.open_blocks))
    return open_.emplace_back(fresh);
  const auto oldest = std::min_element(
      open_.begin(), open_.end(),
      [](const OpenBlock& a, const OpenBlock& b) { return a.last_use < b.last_use; });
  close(*oldest, times);
  return *oldest = fresh;
}

void FlashTranslation::close(const OpenBlock& open, FlashTimes& times) {
  // A scattered block is copied whole into a third one; then it and the old one are erased.
  const Bytes in_order = align_up(open.end, config_.page) - open.begin;
  const Bytes copied = open.scattered ? config_.erase_block : config_.erase_block - in_order;
  const int erased = open.scattered ? 2 : 1;
  times.merge += copy_time(copied) + erased * config_.erase_time;
  erased_ += erased;
}

Duration FlashTranslation::copy_time(Bytes amount) const {
  return amount / config_.read_rate + amount / config_.program_rate;
}

}  // namespace copysim
