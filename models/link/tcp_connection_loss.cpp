#include <algorithm>

#include <copysim/models/link/tcp_connection.hpp>

// The life of a connection of bursts: how it begins, what repairs a loss, and how it ends.

namespace copysim {

namespace {

constexpr std::int64_t duplicate_threshold = 3;  // RFC 5681, 3.2

}  // namespace

Task<IoStatus> TcpConnection::connect() {
  disconnect();
  Duration timeout = client_.tcp.initial_timeout;
  for (int tries = 0; tries <= client_.tcp.max_connect_retransmissions; ++tries) {
    const SimTime sent = simulation_.now();
    bool lost = false;
    for (const Toward toward : {Toward::server, Toward::client}) {
      const SimTime now = simulation_.now();
      const auto transit =
          link_.carry(toward, {.payload = 0_B, .earliest = now, .last_frame_from = now});
      lost = transit.lost > 0;
      if (lost) break;
      co_await simulation_.delay(transit.arrival - now, link_.labels().latency);
    }
    if (!lost) {
      up_ = true;
      co_return IoStatus::ok;
    }
    const Duration left = std::max(Duration::zero(), sent + timeout - simulation_.now());
    co_await simulation_.delay(left);
    timeout *= 2;
  }
  co_return IoStatus::link_down;
}

void TcpConnection::disconnect() {
  up_ = false;
  ++life_;
  for (Stream& each : streams_) each.restart();
}

Task<IoStatus> TcpConnection::give_up(SimTime at) {
  const std::uint32_t life = life_;
  const Duration left = std::max(Duration::zero(), at - simulation_.now());
  co_await simulation_.delay(left);
  if (life == life_) disconnect();
  co_return IoStatus::link_down;
}

// The payload of the frames of a piece that are lost; the last one is shorter.
Bytes TcpConnection::lost_of(Bytes piece, const EthernetLink::Transit& transit) {
  const Bytes full = transit.lost * Framing::segment;
  if (transit.lost == 0 || transit.behind > 0) return full;
  return full - Framing::segment + Framing::last_payload(piece);
}

// Frames of a piece will not come. A timer starts with what is sent first, and anew with each
// acknowledgement.
void TcpConnection::note_loss(Stream& s, Bytes piece, const EthernetLink::Transit& transit) {
  counters_.lost_frames += transit.lost;
  s.window.lost(lost_of(piece, transit), transit.start);
  const SimTime acknowledged = s.window.last_ack().value_or(SimTime::min());
  const bool first = s.holes.empty();
  s.holes.push_back(
      {.number = ++s.holes_made,
       .frames = transit.lost,
       .behind = 0,
       .sent = transit.start,
       .timer_from = first ? std::max(transit.start, acknowledged) : s.holes.front().timer_from,
       .there = transit.arrival - transit.end});
}

// So many frames came, whose ACKs are back at that time: holes with three behind them are found.
void TcpConnection::note_behind_holes(Toward toward, std::int64_t frames, SimTime back) {
  Stream& s = stream(toward);
  if (frames <= 0) return;
  for (Hole& hole : s.holes) hole.behind += frames;
  while (!s.holes.empty() && s.holes.front().behind >= duplicate_threshold && !s.given_up) {
    if (timer_due(s) < back) {
      timed_out(toward);
    } else {
      fill_first_hole(toward, back, false);
    }
  }
  if (s.retransmission && s.holes.empty()) s.retransmission->set(std::nullopt);
}

// When the timer fires for the first hole. The delayed ACK of an odd segment before it sets it
// anew.
SimTime TcpConnection::timer_due(const Stream& s) const {
  const SimTime due = s.holes.front().timer_from + s.round_trips.timeout();
  if (s.tail_segments == 0) return due;
  const SimTime delayed =
      s.tail_arrival + s.receiver.tcp.delayed_ack + s.ack_delay + link_.one_way(0_B);
  return delayed < due ? delayed + s.round_trips.timeout() : due;
}

// The timer finds everything lost that is not acknowledged.
void TcpConnection::timed_out(Toward toward) {
  Stream& s = stream(toward);
  if (s.holes.empty()) return;
  const SimTime due = timer_due(s);
  if (s.tail_segments > 0) acknowledge_tail(s, SimTime::max(), due);
  while (!s.holes.empty() && !s.given_up) fill_first_hole(toward, due, true);
}

void TcpConnection::fill_first_hole(Toward toward, SimTime found, bool by_timeout) {
  Stream& s = stream(toward);
  const Hole hole = s.holes.front();
  s.holes.pop_front();
  const bool begins = hole.sent >= s.found;  // a recovery of its own
  counters_.retransmissions += hole.frames;
  // When it is sent again, and that gets through.
  SimTime again = found;
  if (!begins && !s.sender.tcp.selective_acknowledgement) again = std::max(again, s.held_until);
  bool through = true;
  for (std::int64_t i = 0; i < hole.frames; ++i) {
    through = link_.gets_through(toward, again + hole.there) && through;
  }
  if (by_timeout && begins) ++counters_.timeouts;
  Duration timeout = s.round_trips.timeout();
  int times = by_timeout && begins ? 1 : 0;
  while (!through && times <= s.sender.tcp.max_retransmissions) {
    if (by_timeout || times > 0) timeout = std::min(2 * timeout, RoundTripEstimator::Config{}.most);
    again += timeout;
    ++times;
    ++counters_.timeouts;
    if (times > s.sender.tcp.max_retransmissions) {
      s.given_up = again;
      break;
    }
    ++counters_.retransmissions;
    through = link_.gets_through(toward, again + hole.there);
    by_timeout = true;
  }
  const SimTime filled = again + hole.there;
  s.held_until = std::max(s.held_until, filled);
  if (begins) s.found = found;
  const SimTime acknowledged = ack_back(toward, filled);
  for (Hole& other : s.holes) other.timer_from = std::max(other.timer_from, acknowledged);
  s.window.repaired({.found = found, .filled = acknowledged, .by_timeout = by_timeout});
  for (Arrival* arrival : s.waiting) {
    if (arrival->last_hole >= hole.number) arrival->at = std::max(arrival->at, s.held_until);
  }
  while (!s.waiting.empty() && (s.waiting.front()->last_hole <= hole.number || s.given_up)) {
    s.waiting.front()->known.set();
    s.waiting.pop_front();
  }
}

}  // namespace copysim
