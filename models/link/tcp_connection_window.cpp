#include <algorithm>

#include <copysim/models/link/frames.hpp>
#include <copysim/models/link/tcp_connection.hpp>

// What the windows of a connection of bursts let go, and when its acknowledgements come back.

namespace copysim {

namespace {

// Bytes that one step of the window arithmetic sends: a pair of segments, or for a large window a
// 64th part of it, so that a message costs few steps and the law window / RTT is off by 1/64 at
// most.
Bytes step_of(Bytes window) {
  const Bytes pair = 2 * Framing::segment;
  return std::max(pair, align_down(window / 64, pair));
}

Duration copy_time(Bandwidth rate, Bytes amount) {
  return rate > Bandwidth{0} ? amount / rate : Duration::zero();
}

}  // namespace

void TcpConnection::send_windowed(Toward toward, const Offer& offer, SimTime from,
                                  Schedule& result) {
  Stream& s = stream(toward);
  Bytes remaining = offer.message;
  bool first = true;
  bool yields = result.delayed_ack > Duration::zero();
  bool stalled = false;
  while (remaining > 0_B) {
    const SimTime at = std::max(from, link_.free_from(toward));
    if (!s.holes.empty() && timer_due(s) <= at) timed_out(toward);
    if (s.given_up) return;
    s.window.advance_to(at);
    s.unlimited = outgrown(s);
    Piece piece = next_piece(s, remaining, from);
    const bool waits = piece.length <= 0_B;
    if (waits) {
      if (!stalled) ++counters_.window_stalls;
      stalled = yields = true;
    }
    if (piece.length < remaining && goes_with_acks(s, at, piece.length)) {
      piece = next_with_acks(s, remaining, waits ? at : from, result);
    } else if (waits) {
      from = wait_for_ack(toward, at, result);
    }
    if (piece.length <= 0_B) continue;
    const bool last_one = piece.length == remaining;
    auto transit = link_.carry(
        toward, {.payload = piece.length,
                 .earliest = piece.from,
                 .last_frame_from = last_one ? std::max(piece.to, offer.last_frame_from) : piece.to,
                 .yields = yields && !link_.config().loses(),
                 .offered = offer.first_frame_from,
                 .line_from = s.line_end});
    s.line_end = transit.line_end;
    // A short last piece does not overtake the full frames before it in a switch.
    const Bytes last = Framing::frame(Framing::last_payload(piece.length));
    const SimTime behind = result.transit.arrival + copy_time(link_.config().rate, last);
    if (!first) transit.arrival = std::max(transit.arrival, behind);
    if (link_.config().loses()) {
      if (transit.lost == 0) {
        s.round_trips.sample(ack_back(toward, transit.arrival) - transit.start);
        s.window.measured(s.round_trips.last(), s.round_trips.least());
      } else {
        note_loss(s, piece.length, transit);
      }
    }
    if (first) {
      result.queued = transit.start - std::min(transit.start, piece.from);
      result.transit = transit;
      first = false;
    }
    result.transit.end = transit.end;
    result.transit.arrival = transit.arrival;
    note_sent(toward, piece.length, transit);
    if (s.given_up) return;
    remaining -= piece.length;
    // Yielding passages do not hold the card, so the message must keep its own order.
    if (yields) from = transit.end;
  }
}

// Whether what a train of ACKs lets go can be sent as one, behind `before`, which goes now: ACKs
// change nothing but the room, and the first of them is back before the card is done with that.
bool TcpConnection::goes_with_acks(const Stream& s, SimTime now, Bytes before) const {
  if (link_.config().loses() || !s.window.steady() || !s.window.next_ack()) return false;
  if (before <= 0_B) return true;
  return *s.window.next_ack() <= now + copy_time(link_.slowest(), Framing::wire(before));
}

// What goes next, at once, as far as the window has room; nothing if it has none. While the window
// grows or frames can get lost only a step goes, as what the ACKs of a step do matters for the
// next.
TcpConnection::Piece TcpConnection::next_piece(const Stream& s, Bytes remaining,
                                               SimTime from) const {
  if (s.unlimited) return {.length = remaining, .from = from};
  const bool whole = !link_.config().loses() && s.window.steady();
  const Bytes want = whole ? remaining : std::min(remaining, step_of(s.window.limit()));
  Piece piece{.length = want, .from = from};
  if (want > s.window.room()) piece.length = align_down(s.window.room(), Framing::segment);
  // A window below one segment: the segment is sent alone, as a probe would get it through.
  if (piece.length <= 0_B && s.window.in_flight() == 0_B) {
    piece.length = std::min(want, Framing::segment);
  }
  return piece;
}

// What has room, and what the next train of ACKs lets go behind it: the last frame with the last
// ACK.
TcpConnection::Piece TcpConnection::next_with_acks(Stream& s, Bytes remaining, SimTime from,
                                                   Schedule& result) {
  const bool waits = s.window.room() < Framing::segment;
  const SendWindow::Train acks = s.window.take_ahead(remaining - s.window.room());
  SimTime first = from;
  if (waits) {
    first = std::max(from, acks.first);
    result.window += first - from;
  }
  const Bytes room = s.window.room();
  const Bytes length = remaining <= room ? remaining : align_down(room, Framing::segment);
  return {.length = length, .from = first, .to = std::max(first, acks.last)};
}

SimTime TcpConnection::wait_for_ack(Toward toward, SimTime now, Schedule& result) {
  Stream& s = stream(toward);
  if (!s.window.next_ack() && !s.holes.empty()) {
    const SimTime due = std::max(now, timer_due(s));
    timed_out(toward);
    result.window += due - now;
    return due;
  }
  if (!s.window.next_ack()) {
    // Only segments without an ACK of their own are out: the receiver's timer must fire.
    const SimTime fires = s.tail_arrival + s.receiver.tcp.delayed_ack;
    acknowledge_tail(s, SimTime::max(), fires);
    const SimTime back = *s.window.next_ack();
    result.delayed_ack += std::max(Duration::zero(), back - now);
    return std::max(now, back);
  }
  const SimTime back = std::max(now, *s.window.next_ack());
  result.window += back - now;
  return back;
}

void TcpConnection::note_sent(Toward toward, Bytes chunk, const EthernetLink::Transit& transit) {
  Stream& s = stream(toward);
  const std::int64_t frames = Framing::frames(chunk);
  if (s.tail_segments > 0) {
    // The timer goes first if it is over before the next segment comes.
    const bool late = s.tail_arrival + s.receiver.tcp.delayed_ack < transit.first_arrival;
    if (late) acknowledge_tail(s, transit.first_arrival, transit.first_arrival);
  }
  if (transit.lost > 0 || transit.arrival < s.held_until || !s.holes.empty()) {
    note_out_of_order(toward, chunk, transit);
    return;
  }
  const std::int64_t every = s.receiver.tcp.ack_every;
  const std::int64_t unacknowledged = s.tail_segments + frames;
  const std::int64_t acks = unacknowledged / every;
  const std::int64_t left = unacknowledged % every;
  if (!s.unlimited) s.window.sent(chunk);
  if (acks == 0) {
    s.tail_bytes += chunk;
  } else {
    const Bytes tail =
        left == 0 ? 0_B : Framing::last_payload(chunk) + (left - 1) * Framing::segment;
    if (!s.unlimited) {
      // The frames come evenly; the first ACK is for the one that makes `every` with the tail.
      const Duration apart =
          frames > 1 ? (transit.arrival - transit.first_arrival) / (frames - 1) : Duration::zero();
      const SimTime last = ack_back(toward, transit.arrival) - left * apart;
      s.window.acknowledged({.amount = s.tail_bytes + chunk - tail,
                             .first = last - (acks - 1) * every * apart,
                             .last = last,
                             .count = acks});
    }
    s.tail_bytes = tail;
  }
  s.tail_segments = left;
  s.tail_arrival = transit.arrival;
}

// A piece with a hole in it or before it: each frame that comes is acknowledged at once.
void TcpConnection::note_out_of_order(Toward toward, Bytes chunk,
                                      const EthernetLink::Transit& transit) {
  Stream& s = stream(toward);
  const SimTime back = ack_back(toward, transit.arrival);
  const std::int64_t came = Framing::frames(chunk) - transit.lost;
  const Bytes arrived = chunk - lost_of(chunk, transit);
  s.window.sent(chunk);
  const bool ends_with_hole = transit.lost > 0 && transit.behind == 0 && s.holes.size() == 1;
  if (ends_with_hole && transit.arrival >= s.held_until) {
    // What came is in order yet: an odd last segment waits for the next one, or the timer.
    s.tail_bytes += arrived;
    s.tail_segments += came;
    const std::int64_t odd = s.tail_segments % s.receiver.tcp.ack_every;
    const Bytes tail = odd * Framing::segment;
    const SimTime before = s.window.last_ack().value_or(SimTime::min());
    if (s.tail_segments > odd) {
      s.window.acknowledged({.amount = s.tail_bytes - tail,
                             .first = back,
                             .last = back,
                             .count = s.tail_segments / s.receiver.tcp.ack_every});
      s.holes.front().timer_from = std::max({s.holes.front().timer_from, back, before});
    }
    s.tail_bytes = tail;
    s.tail_segments = odd;
    s.tail_arrival = transit.arrival;
    return;
  }
  if (s.tail_segments > 0) acknowledge_tail(s, transit.arrival, back);
  if (came > 0) {
    s.window.acknowledged({.amount = arrived, .first = back, .last = back, .count = came});
  }
  s.tail_arrival = transit.arrival;
  note_behind_holes(toward, transit.lost > 0 ? transit.behind : came, back);
}

// The receiver sends the ACK of the tail `at` the latest, and it is `back` then; or the timer does.
void TcpConnection::acknowledge_tail(Stream& s, SimTime at, SimTime back) {
  const SimTime fires = s.tail_arrival + s.receiver.tcp.delayed_ack;
  if (fires < at) {
    ++counters_.delayed_acks;
    back = fires + link_.one_way(0_B);
  }
  if (!s.unlimited) s.window.acknowledged({.amount = s.tail_bytes, .first = back, .last = back});
  s.tail_segments = 0;
  s.tail_bytes = 0_B;
}

bool TcpConnection::outgrown(const Stream& s) const {
  if (s.unlimited) return true;
  if (link_.config().loses()) return false;
  const Bandwidth rate = link_.slowest();
  if (rate <= Bandwidth{0}) return false;
  const Duration round =
      2 * (link_.one_way(Framing::segment) + link_.config().jitter) + s.ack_delay;
  const auto pipe = static_cast<std::int64_t>(rate.bytes_per_second() * seconds(round)) + 1;
  return s.window.limit() >= Bytes{pipe} + 4 * Framing::segment;
}

}  // namespace copysim
