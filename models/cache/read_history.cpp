#include <copysim/models/cache/read_history.hpp>

#include <algorithm>

namespace copysim {

std::optional<Extent> ReadHistory::next_in_sequence(Extent read) {
  const std::int64_t hint = sequential_hint_ ? 2 : 1;
  const Bytes wanted = align_up(read.length, config_.granularity) * (config_.factor * hint);
  const Bytes lead = std::min(wanted, config_.most);
  const Bytes from = std::max(read.end(), asked_to_);
  const Bytes to = align_up(read.end() + lead, config_.granularity);
  if (from >= to) return std::nullopt;
  asked_to_ = to;
  return Extent{from, to - from};
}

std::optional<Extent> ReadHistory::note(Extent read) {
  const auto last = last_;
  const auto before_last = before_last_;
  before_last_ = last_;
  last_ = read;
  if (config_.factor == 0) return std::nullopt;

  const bool follows = last && read.offset == last->end();
  if (!follows) asked_to_ = Bytes{};
  if (sequential_hint_) return next_in_sequence(read);
  if (!last || !before_last) return std::nullopt;
  if (follows && last->offset == before_last->end()) return next_in_sequence(read);

  const Bytes distance = read.offset - last->offset;
  if (config_.strides && !follows && distance != Bytes{} &&
      distance == last->offset - before_last->offset && read.offset + distance >= Bytes{}) {
    const Bytes from = align_down(read.offset + distance, 4_KiB);
    return Extent{from, align_up(read.length, config_.granularity)};
  }
  return std::nullopt;
}

}  // namespace copysim
