#include <algorithm>

#include <copysim/models/link/tcp_connection.hpp>

// The life of a connection of bursts: how it begins, what repairs a loss, and how it ends.

namespace copysim {

namespace {

constexpr std::int64_t duplicate_threshold = 3;  // RFC 5681, 3.2

Duration copy_time(Bandwidth rate, Bytes amount) {
  return rate > Bandwidth{0} ? amount / rate : Duration::zero();
}

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

// Finds when the lost frames of a passage, `frames_after` of the message still to come, are there:
// moves its arrival, and lets the window know.
void TcpConnection::repair(Toward toward, EthernetLink::Transit& transit, std::int64_t frames_after,
                           Schedule& result) {
  Stream& s = stream(toward);
  const Duration home = s.ack_delay + link_.one_way(0_B);
  const Duration there = transit.arrival - transit.end;
  counters_.lost_frames += transit.lost;
  if (transit.start < s.found) {
    // Lost with what was found lost later than this was sent: it is sent again right behind that.
    counters_.retransmissions += transit.lost;
    const Duration wire = copy_time(link_.slowest(), transit.lost * Framing::full_frame);
    transit.arrival = s.held_until = std::max(transit.arrival, s.held_until + wire);
    s.window.lost({.sent = transit.start, .found = s.found, .repaired = transit.arrival + home});
    return;
  }
  const bool follows =
      transit.behind + frames_after >= duplicate_threshold || s.sending.waiting() > 0;
  SendWindow::Loss loss{.sent = transit.start, .found = transit.arrival + home, .repaired = {}};
  SimTime again = loss.found;
  // A timer starts with what is sent first, and anew with each acknowledgement.
  const SimTime timer = std::max(transit.start, s.window.last_ack().value_or(SimTime::min()));
  SimTime at = timer;
  int timeouts = 0;
  if (!follows || !link_.gets_through(toward, again + there)) {
    loss.by_timeout = true;
    Duration timeout = s.round_trips.timeout();
    for (bool through = false; !through; through = link_.gets_through(toward, at)) {
      at += timeout;
      if (++timeouts > s.sender.tcp.max_retransmissions) {
        counters_.timeouts += timeouts;
        result.given_up = at;
        return;
      }
      if (timeouts == 1) loss.found = at;
      timeout = std::min(2 * timeout, RoundTripEstimator::Config{}.most);
      ++counters_.retransmissions;
    }
    again = at;
  }
  counters_.timeouts += timeouts;
  counters_.retransmissions += transit.lost - (timeouts > 0 ? 1 : 0);
  transit.arrival = std::max(transit.arrival, again + there);
  // Without selective acknowledgements each hole takes a round trip (RFC 6582).
  if (!s.sender.tcp.selective_acknowledgement) {
    transit.arrival += (transit.lost - 1) * (there + home);
  }
  s.held_until = transit.arrival;
  s.found = loss.found;
  loss.repaired = transit.arrival + home;
  s.window.lost(loss);
}

}  // namespace copysim
