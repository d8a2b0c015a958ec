#include <copysim/models/link/tcp_sender.hpp>

#include <algorithm>

namespace copysim {

namespace {

constexpr std::int64_t duplicate_threshold = 3;  // RFC 5681, 3.2

}  // namespace

TcpSender::TcpSender(const TcpConfig& config, Bytes receive_window)
    : config_{config},
      congestion_{make_congestion_control(config.congestion_control, config.initial_window)},
      round_trips_{{.initial = config.initial_timeout, .least = config.least_timeout}},
      window_{receive_window} {}

void TcpSender::write(Bytes message) {
  written_ += message;
  messages_.push_back(written_);
}

std::optional<Extent> TcpSender::next(SimTime now) {
  if (auto again = next_lost(now)) return again;
  if (!has_unsent()) return std::nullopt;
  if (config_.restart_after_idle && outstanding() == Bytes{0} &&
      now - last_sent_ > round_trips_.timeout()) {
    congestion_->restart();
  }
  const Bytes length = std::min(Framing::segment, messages_.front() - sent_to_);
  // Nagle (RFC 896): a small segment waits until nothing is outstanding.
  const bool waits = config_.nagle && length < Framing::segment && outstanding() > Bytes{0};
  // A window below one segment: the segment is sent alone, as a probe would get it through.
  const bool fits = outstanding() + length <= window_ || outstanding() == Bytes{0};
  // Without selective acknowledgements each duplicate says that one segment has left the pipe.
  const int gone = config_.selective_acknowledgement ? 0 : duplicates_;
  const Bytes pipe = pipe_ - gone * Framing::segment;
  const bool uncongested = pipe + length <= congestion_->window() || sent_.empty();
  if (waits || !fits || !uncongested) return std::nullopt;

  if (sent_.empty()) timer_from_ = now;
  const Extent extent{sent_to_, length};
  sent_.push_back({.extent = extent, .at = now});
  sent_to_ += length;
  pipe_ += length;
  last_sent_ = now;
  if (sent_to_ == messages_.front()) messages_.pop_front();
  return extent;
}

std::optional<Extent> TcpSender::next_lost(SimTime now) {
  while (!lost_.empty()) {
    const auto sent = find(lost_.front());
    const bool gone = sent == sent_.end() || sent->arrived || sent->in_pipe;
    if (gone) {
      lost_.pop_front();
      continue;
    }
    const Bytes length = sent->extent.length;
    const bool room = pipe_ == Bytes{0} || pipe_ + length <= congestion_->window();
    if (!room && !retransmit_now_) return std::nullopt;
    retransmit_now_ = false;
    lost_.pop_front();
    sent->in_pipe = true;
    sent->at = last_sent_ = now;
    ++sent->times;
    pipe_ += length;
    ++retransmissions_;
    if (sent == sent_.begin()) timer_from_ = now;
    return sent->extent;
  }
  return std::nullopt;
}

std::deque<TcpSender::Sent>::iterator TcpSender::find(Bytes position) {
  const auto it = std::lower_bound(sent_.begin(), sent_.end(), position,
                                   [](const Sent& s, Bytes at) { return s.extent.end() <= at; });
  return it != sent_.end() && it->extent.offset <= position ? it : sent_.end();
}

bool TcpSender::acknowledged(const Packet& packet, SimTime now) {
  const bool opened = packet.acknowledged + packet.window > acknowledged_ + window_;
  if (packet.acknowledged < acknowledged_) return false;
  window_ = packet.window;
  const bool news = note_blocks(packet);
  if (packet.acknowledged > acknowledged_) {
    acknowledge_until(packet.acknowledged, now);
    if (config_.selective_acknowledgement) note_losses(now);
    return true;
  }
  if (news) {
    note_losses(now);
    note_duplicate(now);
    return true;
  }
  const bool duplicate = !packet.carries_data() && outstanding() > Bytes{0} && !opened;
  if (duplicate && !config_.selective_acknowledgement) {
    note_duplicate(now);
    return true;
  }
  return opened;
}

void TcpSender::acknowledge_until(Bytes position, SimTime now) {
  const Bytes fresh = position - acknowledged_;
  std::optional<Duration> round_trip;
  while (!sent_.empty() && sent_.front().extent.end() <= position) {
    Sent& first = sent_.front();
    // Karn: what was sent twice tells nothing. What arrived earlier was acknowledged earlier.
    if (first.times == 1 && !first.arrived) round_trip = now - first.at;
    leave_pipe(first);
    sent_.pop_front();
  }
  if (round_trip) round_trips_.sample(*round_trip);
  acknowledged_ = position;
  checked_to_ = std::max(checked_to_, position);
  blocks_.remove_before(position);
  timer_from_ = now;
  timeouts_in_row_ = 0;

  const bool partial = recovery_ && position < *recovery_;
  if (recovery_ && !partial) {
    recovery_.reset();
    after_timeout_ = false;
    duplicates_ = 0;
  }
  if (partial && !after_timeout_ && !config_.selective_acknowledgement) {
    // NewReno: the segment that is asked for next is lost as well.
    const auto left = pieces(fresh, Framing::segment);
    duplicates_ = static_cast<int>(std::max<std::int64_t>(0, duplicates_ - left + 1));
    if (!sent_.empty() && sent_.front().times == 1) {
      take_for_lost(sent_.front());
      retransmit_now_ = true;
    }
  }
  if (!partial) duplicates_ = 0;
  const bool grows = !recovery_ || after_timeout_;
  if (grows && congestion_->window() < window_) {
    congestion_->acknowledged({.acknowledged = fresh,
                               .now = now,
                               .round_trip = round_trips_.last(),
                               .least_round_trip = round_trips_.least()});
  }
}

bool TcpSender::note_blocks(const Packet& packet) {
  bool news = false;
  for (const Extent& block : packet.sacked) {
    if (block.empty() || block.end() <= acknowledged_) continue;
    for (const Extent& fresh : blocks_.add(block)) {
      news = true;
      for (auto sent = find(std::max(fresh.offset, acknowledged_));
           sent != sent_.end() && sent->extent.offset < fresh.end(); ++sent) {
        if (sent->arrived) continue;
        leave_pipe(*sent);
        sent->arrived = true;
      }
    }
  }
  return news;
}

void TcpSender::note_losses(SimTime now) {
  if (blocks_.empty()) return;
  // More than two segments' worth behind it has come (RFC 6675, IsLost).
  const Bytes until =
      blocks_.back().end() - (duplicate_threshold - 1) * Framing::segment - Bytes{1};
  if (checked_to_ >= until || sent_.empty()) return;
  bool found = false;
  auto sent = find(std::max(checked_to_, acknowledged_));
  for (; sent != sent_.end() && sent->extent.end() <= until; ++sent) {
    if (!sent->arrived && sent->in_pipe && sent->times == 1) {
      take_for_lost(*sent);
      found = true;
    }
    checked_to_ = sent->extent.end();
  }
  if (found) enter_recovery(now);
}

void TcpSender::note_duplicate(SimTime now) {
  ++duplicates_;
  if (duplicates_ != duplicate_threshold || recovery_ || sent_.empty()) return;
  take_for_lost(sent_.front());
  enter_recovery(now);
}

void TcpSender::take_for_lost(Sent& sent) {
  leave_pipe(sent);
  lost_.push_back(sent.extent.offset);
}

void TcpSender::leave_pipe(Sent& sent) {
  if (!sent.in_pipe) return;
  pipe_ -= sent.extent.length;
  sent.in_pipe = false;
}

void TcpSender::enter_recovery(SimTime now) {
  if (recovery_) return;
  // What duplicate ACKs let go does not count (RFC 5681, 3.2, step 2).
  congestion_->lost(std::min(outstanding(), congestion_->window()), now);
  recovery_ = sent_to_;
  retransmit_now_ = true;
  ++recoveries_;
}

void TcpSender::timed_out(SimTime now) {
  ++timeouts_;
  ++timeouts_in_row_;
  // The threshold is set once per loss, not at each doubling (RFC 5681, 3.1).
  if (timeouts_in_row_ == 1) congestion_->timed_out(outstanding(), now);
  round_trips_.timed_out();
  lost_.clear();
  for (Sent& sent : sent_) {
    if (!sent.arrived) take_for_lost(sent);
  }
  checked_to_ = sent_to_;
  duplicates_ = 0;
  recovery_ = sent_to_;
  after_timeout_ = true;
  retransmit_now_ = true;
  timer_from_ = now;
}

std::optional<SimTime> TcpSender::timer() const {
  if (sent_.empty()) return std::nullopt;
  return timer_from_ + round_trips_.timeout();
}

}  // namespace copysim
