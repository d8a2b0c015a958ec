#include <copysim/models/storage/flash_array.hpp>

#include <algorithm>
#include <string>

#include <copysim/error.hpp>

namespace copysim {

FlashArray::FlashArray(Config config, Bytes capacity)
    : config_{config},
      die_free_(static_cast<std::size_t>(config.channels) * static_cast<std::size_t>(config.dies)),
      channel_free_(static_cast<std::size_t>(config.channels)) {
  if (config.channel_rate <= Bandwidth{0})
    throw ConfigError{"solid-state", "flash.channel_rate must be positive, got " +
                                         std::to_string(config.channel_rate.bytes_per_second()) +
                                         " B/s"};
  const double free_part = 1 + config.spare - config.filled;
  const std::int64_t pages = capacity / config.page;
  erased_pages_ = static_cast<double>(pages) * free_part;
  const double s = free_part / std::max(config.filled, 1e-6);
  random_copies_ = std::max(0.0, (1 + s) / (2 * s) - 1);
}

SimTime FlashArray::read(std::int64_t page, Bytes length, SimTime now) {
  const auto die = static_cast<std::size_t>(page) % dies();
  SimTime& channel = channel_free_[die % channel_free_.size()];
  const SimTime sensed = std::max(now, die_free_[die]) + config_.page_read;
  const SimTime moved = std::max(sensed, channel) + length / config_.channel_rate;
  die_free_[die] = moved;
  channel = moved;
  return moved;
}

double FlashArray::copies_per_write() const {
  if (erased_pages_ > 0 || programmed_ == 0) return 0;
  return random_copies_ * static_cast<double>(scattered_) / static_cast<double>(programmed_);
}

SimTime FlashArray::program(SimTime now, bool in_sequence) {
  const std::size_t die = next_die_;
  next_die_ = (next_die_ + 1) % dies();
  ++programmed_;
  if (!in_sequence) ++scattered_;
  if (erased_pages_ > 0)
    erased_pages_ -= 1;
  else
    make_room(die, now);
  return program_on(die, now);
}

SimTime FlashArray::program_on(std::size_t die, SimTime now) {
  SimTime& channel = channel_free_[die % channel_free_.size()];
  const SimTime ready = std::max(now, die_free_[die]);
  const SimTime moved = std::max(ready, channel) + config_.page / config_.channel_rate;
  channel = moved;
  die_free_[die] = moved + config_.page_program;
  return die_free_[die];
}

// A copy stays on its die: it is read and programmed there without the channel.
void FlashArray::make_room(std::size_t die, SimTime now) {
  const double copies = copies_per_write();
  copies_due_ += copies;
  erases_due_ += (1 + copies) / config_.pages_per_block;
  SimTime& free = die_free_[die];
  free = std::max(free, now);
  for (; copies_due_ >= 1; copies_due_ -= 1) {
    free += config_.page_read + config_.page_program;
    ++copied_;
  }
  for (; erases_due_ >= 1; erases_due_ -= 1) {
    free += config_.block_erase;
    ++erased_blocks_;
  }
}

}  // namespace copysim
