#include <copysim/models/link/tcp_receiver.hpp>

#include <algorithm>

namespace copysim {

namespace {

constexpr Bytes first_tuned_window{65536};  // inferred: what Vista offers before it has measured

}  // namespace

TcpReceiver::TcpReceiver(const TcpConfig& config, Bytes most_window)
    : config_{config},
      most_window_{most_window},
      window_{config.autotuning ? std::min(first_tuned_window, most_window) : most_window} {}

bool TcpReceiver::take(Extent segment, SimTime now) {
  const bool fills_hole = !out_of_order_.empty() && segment.offset <= received_;
  Bytes fresh;
  if (segment.end() > received_) {
    const Extent rest{std::max(segment.offset, received_),
                      segment.end() - std::max(segment.offset, received_)};
    for (const Extent& part : out_of_order_.add(rest)) fresh += part.length;
    if (out_of_order_.front().offset <= received_) {
      received_ = out_of_order_.front().end();
      out_of_order_.remove_before(received_);
      newest_ = {};
    } else {
      newest_ = out_of_order_.around(rest.offset);
    }
  }
  duplicates_ += segment.length - fresh;
  if (config_.autotuning) tune_window(now);

  if (unacknowledged_ == 0) first_unacknowledged_ = now;
  ++unacknowledged_;
  const bool in_order = fresh == segment.length && out_of_order_.empty();
  return !in_order || fills_hole || unacknowledged_ >= config_.ack_every;
}

void TcpReceiver::tune_window(SimTime now) {
  if (!round_started_) round_started_ = now;
  const Bytes came = received_ - round_from_;
  const Duration elapsed = now - *round_started_;
  const bool full = came >= window_;
  if (!full && elapsed < round_trip_) return;
  // A whole window never comes in less than a round trip, so the shortest such time is nearest.
  if (full) round_trip_ = std::min(round_trip_, elapsed);
  window_ = std::clamp(2 * came, window_, most_window_);
  round_from_ = received_;
  round_started_ = now;
}

void TcpReceiver::acknowledge_in(Packet& packet) {
  packet.acknowledged = received_;
  packet.window = window_;
  packet.sacked = {};
  unacknowledged_ = 0;
  if (!config_.selective_acknowledgement || out_of_order_.empty()) return;
  std::size_t blocks = 0;
  if (!newest_.empty()) packet.sacked[blocks++] = out_of_order_.around(newest_.offset);
  for (auto it = out_of_order_.extents().rbegin();
       it != out_of_order_.extents().rend() && blocks < Packet::most_blocks; ++it) {
    if (blocks == 0 || *it != packet.sacked[0]) packet.sacked[blocks++] = *it;
  }
}

std::optional<SimTime> TcpReceiver::timer() const {
  if (unacknowledged_ == 0) return std::nullopt;
  return first_unacknowledged_ + config_.delayed_ack;
}

}  // namespace copysim
