#include <copysim/models/cache/linux_read_ahead.hpp>

#include <algorithm>
#include <bit>

#include <copysim/models/cache/cached_file.hpp>

namespace copysim {

void WindowReadAhead::begin(PageRange read) {
  const std::int64_t most = config_.most / page_size;
  const std::int64_t least = config_.least / page_size;
  sequential_ = read.first <= end_ && read.first + both_ >= end_;
  if (!sequential_) end_ = length_ = both_ = next_ahead_ = 0;
  // Enough for this read at least: its length and one page, as the kernel counts.
  next_ahead_ = std::max(next_ahead_, read.end - read.first + 1);
  if (sequential_) next_ahead_ = std::max(next_ahead_, least);
  next_ahead_ = std::min(next_ahead_, most);
}

PageRange WindowReadAhead::visit(std::int64_t page, Found found, std::int64_t file_pages) {
  std::int64_t behind = end_;  // the last page that was asked for; the new ones follow it
  std::int64_t ahead = 0;
  if (found != Found::ready) {
    const bool inside = length_ > 0 && page < end_ && page + both_ >= end_;
    if (inside) return {};
    behind = page;
    if (behind < file_pages) ahead = next_ahead_;
    both_ = 0;
    length_ = 1;
    if (ahead == 0) {
      end_ = page + length_;
      both_ = length_;
    }
  } else if (sequential_ && next_ahead_ > 0 && end_ >= 1 && page <= end_ &&
             page + length_ >= end_) {
    behind = end_ - 1;
    // One page more, so that a window is as long as the page and its read-ahead at the start.
    if (behind < file_pages) ahead = next_ahead_ + 1;
    if (ahead > 0) {
      both_ = length_;
      length_ = 0;
    }
  }
  if (ahead == 0) return {};
  const std::int64_t last = std::min(behind + ahead, file_pages - 1);
  // The kernel counts the page at which it stopped too.
  const std::int64_t tried = std::min(ahead, std::max<std::int64_t>(file_pages - behind, 1));
  length_ += tried;
  both_ += length_;
  end_ = behind + tried + 1;
  next_ahead_ = std::min(2 * next_ahead_, config_.most / page_size);
  return {behind + 1, last + 1};
}

void OnDemandReadAhead::begin(PageRange read) {
  last_page_ = read_.end - 1;
  read_ = read;
}

std::int64_t OnDemandReadAhead::first_size(std::int64_t request) const {
  const auto rounded = static_cast<std::int64_t>(
      std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(request, 1))));
  if (rounded <= most_ / 32) return rounded * 4;
  if (rounded <= most_ / 4) return rounded * 2;
  return most_;
}

std::int64_t OnDemandReadAhead::next_size(std::int64_t size) const {
  return std::min(size < most_ / 16 ? 4 * size : 2 * size, most_);
}

PageRange OnDemandReadAhead::visit(std::int64_t page, Found found, std::int64_t /*file_pages*/) {
  const bool at_mark = size_ > 0 && page == start_ + size_ - behind_mark_;
  const bool at_end = size_ > 0 && page == start_ + size_;
  if (found != Found::missing && !at_mark) return {};

  const std::int64_t request = read_.end - page;
  if (page != 0 && (at_mark || at_end)) {
    start_ += size_;
    size_ = next_size(size_);
    behind_mark_ = size_;
  } else if (page == 0 || request > most_ || page == last_page_ || page == last_page_ + 1) {
    start_ = page;
    size_ = first_size(request);
    behind_mark_ = size_ > request ? size_ - request : size_;
  } else {
    return {page, read_.end};
  }
  // A window whose mark is the page being read would be followed at once: both are one request.
  if (page == start_ && size_ == behind_mark_) {
    behind_mark_ = next_size(size_);
    size_ += behind_mark_;
  }
  return {start_, start_ + size_};
}

std::unique_ptr<LinuxReadAhead> make_read_ahead(const LinuxReadAheadConfig& config) {
  if (config.rule == LinuxReadAheadRule::window) return std::make_unique<WindowReadAhead>(config);
  return std::make_unique<OnDemandReadAhead>(config);
}

}  // namespace copysim
