#include <copysim/models/link/radio_channel.hpp>

#include <algorithm>

namespace copysim {

RadioChannel::RadioChannel(const LinkConfig& config) : config_{config} {}

Duration RadioChannel::air(Bytes wire) const {
  return config_.rate > Bandwidth{0} ? wire / config_.rate : Duration::zero();
}

SimTime RadioChannel::send(Toward toward, SimTime ready, Bytes wire) {
  const bool joins = filled_ > Bytes{0} && sender_ == toward && ready <= access_ &&
                     filled_ + wire <= config_.wifi_aggregate;
  if (joins) {
    filled_ += wire;
    free_ += air(wire);
    return free_;
  }
  access_ = std::max(ready, free_) + config_.wifi_access;
  free_ = access_ + air(wire);
  sender_ = toward;
  filled_ = wire;
  return free_;
}

RadioChannel::Passage RadioChannel::send_message(SimTime ready, Bytes payload) {
  const Bytes wire = Framing::wire(payload);
  const std::int64_t accesses = pieces(wire, config_.wifi_aggregate);
  const std::int64_t acks = Framing::frames(payload) / 2;
  const Duration answers = acks > 0 ? accesses * config_.wifi_access : Duration::zero();
  const SimTime start = std::max(ready, free_);
  const SimTime end = start + accesses * config_.wifi_access + air(wire) + answers +
                      air(acks * Framing::least_frame);
  // The last acknowledgement comes behind the last frame.
  const Duration last = acks > 0 ? answers / accesses : Duration::zero();
  free_ = end;
  const Duration first = config_.wifi_access + air(std::min(wire, config_.wifi_aggregate));
  return {start, start + first, std::max(start + first, end - last)};
}

}  // namespace copysim
