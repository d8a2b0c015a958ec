#include <copysim/models/link/send_window.hpp>

namespace copysim {

SendWindow::SendWindow(Config config)
    : config_{config},
      control_{make_congestion_control(config.control, config.initial_segments)},
      round_trip_{config.round_trip},
      least_round_trip_{config.round_trip} {}

void SendWindow::acknowledged(Train train) {
  train.hole = filled_holes_ + static_cast<std::int64_t>(holes_.size());
  if (!trains_.empty()) {
    Train& before = trains_.back();
    train.first = std::max(train.first, before.last);
    train.last = std::max(train.last, train.first);
    const bool joins = config_.joins_within > Duration::zero();
    if (joins && train.first - before.last <= config_.joins_within) {
      before.amount += train.amount;
      before.count += train.count;
      before.last = train.last;
      return;
    }
  }
  trains_.push_back(train);
}

void SendWindow::repaired(const Repair& repair) {
  Hole& hole = holes_[known_++];
  const SimTime before = known_ > 1 ? *holes_[known_ - 2].filled : repair.filled;
  hole.filled = std::max(repair.filled, before);
  if (hole.sent < found_) {  // of the same window
    recovered_ = std::max(recovered_, *hole.filled);
    return;
  }
  shrink_by(found_);
  found_ = repair.found;
  recovered_ = *hole.filled;
  by_timeout_ = repair.by_timeout;
  pending_ = true;
}

void SendWindow::advance_to(SimTime now) {
  while (!trains_.empty() && trains_.front().first <= now) {
    const Train& next = trains_.front();
    std::int64_t back = next.count;
    if (next.last > now) {
      back = 1 + (now - next.first) * (next.count - 1) / (next.last - next.first);
    }
    take_in(take(std::min(back, next.count)));
  }
  shrink_by(now);
  fill_holes(now);
}

void SendWindow::fill_holes(SimTime now) {
  while (known_ > 0 && *holes_.front().filled <= now) {
    const Hole& hole = holes_.front();
    const SimTime at = *hole.filled;
    const Bytes fresh = hole.lost + hole.held;
    pipe_ -= hole.lost;
    outstanding_ -= fresh;
    // One ACK says it all; those of a recovery let nothing grow but the one that ends it.
    if (at >= recovered_ || by_timeout_) report(fresh, at);
    holes_.pop_front();
    ++filled_holes_;
    --known_;
  }
}

// The first `count` ACKs of the next train; each but the last is for full segments.
SendWindow::Train SendWindow::take(std::int64_t count) {
  Train& next = trains_.front();
  Train taken = next;
  if (count >= next.count) {
    trains_.pop_front();
    return taken;
  }
  taken.amount = std::min(next.amount, count * each());
  taken.last = next.at(count);
  taken.count = count;
  next.first = next.at(count + 1);
  next.amount -= taken.amount;
  next.count -= count;
  return taken;
}

SendWindow::Train SendWindow::take_ahead(Bytes want) {
  const Train taken = take(std::max<std::int64_t>(1, pieces(want, each())));
  pipe_ -= taken.amount;
  outstanding_ -= taken.amount;
  return taken;
}

void SendWindow::take_in(const Train& train) {
  shrink_by(train.last);
  fill_holes(train.last);
  pipe_ -= train.amount;
  const bool behind_hole = train.hole > filled_holes_;
  if (behind_hole) {
    holes_[static_cast<std::size_t>(train.hole - filled_holes_ - 1)].held += train.amount;
  } else {
    outstanding_ -= train.amount;
  }
  const bool recovers = train.last >= found_ && train.last < recovered_;
  const bool grows = recovers ? by_timeout_ : !behind_hole;
  if (grows) grow(train);
}

std::optional<SimTime> SendWindow::next_ack() const {
  const bool fills = known_ > 0;
  if (trains_.empty()) return fills ? holes_.front().filled : std::nullopt;
  if (!fills) return trains_.front().first;
  return std::min(trains_.front().first, *holes_.front().filled);
}

void SendWindow::shrink_by(SimTime now) {
  if (!pending_ || found_ > now) return;
  pending_ = false;
  const Bytes flight = std::min(outstanding_, limit());
  if (by_timeout_) {
    control_->timed_out(flight, found_);
  } else {
    control_->lost(flight, found_);
  }
}

void SendWindow::grow(const Train& train) {
  Bytes left = train.amount;
  for (std::int64_t n = 1; n <= train.count && left > Bytes{0}; ++n) {
    const Bytes share = n == train.count ? left : std::min(left, each());
    report(share, train.at(n));
    left -= share;
  }
}

// An ACK for that many new bytes.
void SendWindow::report(Bytes fresh, SimTime at) {
  if (steady()) return;
  control_->acknowledged({.acknowledged = fresh,
                          .now = at,
                          .round_trip = round_trip_,
                          .least_round_trip = least_round_trip_});
}

}  // namespace copysim
