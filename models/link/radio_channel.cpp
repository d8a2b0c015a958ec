#include <copysim/models/link/radio_channel.hpp>

#include <algorithm>

namespace copysim {

RadioChannel::RadioChannel(const LinkConfig& config) : config_{config} {}

Duration RadioChannel::air(Bytes wire) const {
  return config_.rate > Bandwidth{0} ? wire / config_.rate : Duration::zero();
}

// What the access of the other card costs on behalf of one more full frame.
Duration RadioChannel::turn_of_other(Bytes wire) const {
  if (wire < Framing::full_frame) return Duration::zero();
  const Duration access = full_frames_ < 2 ? config_.wifi_access / 2 : Duration::zero();
  return access + air(Framing::least_frame) / 2;
}

SimTime RadioChannel::send(Toward toward, SimTime ready, Bytes payload) {
  const Bytes wire = Framing::frame(payload);
  if (payload == Bytes{0}) return ready + config_.wifi_access + air(wire);
  const bool joins = filled_ > Bytes{0} && sender_ == toward && ready <= access_ &&
                     filled_ + wire <= config_.wifi_aggregate;
  if (joins) {
    filled_ += wire;
    over_ += air(wire);
    free_ += air(wire) + turn_of_other(wire);
  } else {
    access_ = std::max(ready, free_) + config_.wifi_access;
    over_ = access_ + air(wire);
    full_frames_ = 0;
    free_ = over_ + turn_of_other(wire);
    sender_ = toward;
    filled_ = wire;
  }
  if (wire == Framing::full_frame) ++full_frames_;
  return over_;
}

RadioChannel::Passage RadioChannel::send_message(SimTime ready, Bytes payload) {
  const Bytes wire = Framing::wire(payload);
  const std::int64_t accesses = pieces(wire, config_.wifi_aggregate);
  const std::int64_t acks = Framing::frames(payload) / 2;
  const Duration answers = std::min(accesses, acks) * config_.wifi_access;
  const SimTime start = std::max(ready, free_);
  const SimTime end = start + accesses * config_.wifi_access + air(wire) + answers +
                      air(acks * Framing::least_frame);
  // The last acknowledgement comes behind the last frame.
  const Duration last = acks > 0 ? config_.wifi_access : Duration::zero();
  free_ = end;
  const Duration first = config_.wifi_access + air(std::min(wire, config_.wifi_aggregate));
  return {start, start + first, std::max(start + first, end - last)};
}

}  // namespace copysim
