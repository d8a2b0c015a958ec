#include <copysim/models/link/send_window.hpp>

namespace copysim {

SendWindow::SendWindow(Config config)
    : config_{config}, control_{make_congestion_control(config.control, config.initial_segments)} {}

void SendWindow::acknowledged(Train train) {
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

void SendWindow::lost(const Loss& loss) {
  repaired_ = std::max(repaired_, loss.repaired);
  if (loss.sent < found_) return;  // of the same window
  found_ = loss.found;
  by_timeout_ = loss.by_timeout;
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
  while (!held_.empty() && held_.front().at <= now) {
    outstanding_ -= held_.front().amount;
    held_.pop_front();
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
  pipe_ -= train.amount;
  if (train.last < repaired_) {
    held_.push_back({train.amount, repaired_});
  } else {
    outstanding_ -= train.amount;
  }
  if (train.last >= repaired_ || by_timeout_) grow(train);
}

std::optional<SimTime> SendWindow::next_ack() const {
  if (trains_.empty() && held_.empty()) return std::nullopt;
  if (held_.empty()) return trains_.front().first;
  if (trains_.empty()) return held_.front().at;
  return std::min(trains_.front().first, held_.front().at);
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
  for (std::int64_t n = 1; n <= train.count && left > Bytes{0} && !steady(); ++n) {
    const Bytes share = n == train.count ? left : std::min(left, each());
    control_->acknowledged({.acknowledged = share,
                            .now = train.at(n),
                            .round_trip = config_.round_trip,
                            .least_round_trip = config_.round_trip});
    left -= share;
  }
}

}  // namespace copysim
