#include <copysim/models/smb/smb_channels.hpp>

#include <numeric>

namespace copysim {

SmbChannel::SmbChannel(Simulation& simulation, Transport& carrier, int first_slots,
                       std::string_view slot_name)
    : transport{carrier},
      slots_total{first_slots},
      slots{simulation, first_slots, simulation.constraint(slot_name), slot_name} {}

SmbChannels::SmbChannels(Simulation& simulation, const SmbLimits& limits,
                         std::string_view slot_name, Transport& first)
    : simulation_{simulation}, limits_{limits}, slot_name_{slot_name} {
  bind(first);
}

void SmbChannels::bind(Transport& transport) {
  channels_.push_back(
      std::make_unique<SmbChannel>(simulation_, transport, limits_.slots, slot_name_));
}

SmbChannel* SmbChannels::working() {
  const auto found = std::ranges::find_if(
      channels_, [](const std::unique_ptr<SmbChannel>& channel) { return channel->works; });
  return found == channels_.end() ? nullptr : found->get();
}

// The last channel that works is kept: `connect` may make it anew.
bool SmbChannels::give_up(SmbChannel& channel) {
  const auto others = std::ranges::count_if(
      channels_,
      [&channel](const std::unique_ptr<SmbChannel>& c) { return c->works && c.get() != &channel; });
  if (others == 0) return false;
  channel.works = false;
  return true;
}

SmbChannel& SmbChannels::next() {
  SmbChannel* channel = channels_[turn_++ % channels_.size()].get();
  while (!channel->works) channel = channels_[turn_++ % channels_.size()].get();
  return *channel;
}

int SmbChannels::slots() const {
  return std::accumulate(
      channels_.begin(), channels_.end(), 0,
      [](int sum, const std::unique_ptr<SmbChannel>& c) { return sum + c->slots_total; });
}

int SmbChannels::fewest_slots() const {
  int fewest = limits_.slots_maximum;
  for (const std::unique_ptr<SmbChannel>& channel : channels_) {
    if (channel->works) fewest = std::min(fewest, channel->slots_total);
  }
  return fewest;
}

Task<IoStatus> SmbChannels::carry(SmbRequest& request, Toward toward, Bytes message) {
  if (toward == Toward::server) request.message = message;
  IoStatus status = co_await request.channel->transport.deliver(toward, message);
  while (status == IoStatus::link_down && give_up(*request.channel)) {
    request.channel->slots.release(request.slots);
    request.channel = &next();
    co_await request.channel->slots.acquire(request.slots);
    if (toward == Toward::client) {
      status = co_await request.channel->transport.deliver(Toward::server, request.message);
      if (status != IoStatus::ok) continue;
    }
    status = co_await request.channel->transport.deliver(toward, message);
  }
  co_return status;
}

Task<IoStatus> SmbChannels::carry(Toward toward, Bytes message, Bytes request) {
  SmbChannel* channel = working();
  IoStatus status = co_await channel->transport.deliver(toward, message);
  while (status == IoStatus::link_down && give_up(*channel)) {
    channel = working();
    if (toward == Toward::client && request > 0_B) {
      status = co_await channel->transport.deliver(Toward::server, request);
      if (status != IoStatus::ok) continue;
    }
    status = co_await channel->transport.deliver(toward, message);
  }
  co_return status;
}

}  // namespace copysim
