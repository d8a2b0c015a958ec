#include <copysim/models/link/tcp_endpoint.hpp>

#include <algorithm>
#include <utility>

namespace copysim {

namespace {

Duration copy_time(Bandwidth rate, Bytes amount) {
  return rate > Bandwidth{0} ? amount / rate : Duration::zero();
}

}  // namespace

TcpEndpoint::TcpEndpoint(Simulation& simulation, PacketPath& out, const TransportEnd& end,
                         Windows windows, TransportCounters& counters, std::string name,
                         std::function<void()> lost)
    : simulation_{simulation},
      out_{out},
      end_{end},
      windows_{windows},
      counters_{counters},
      lost_{std::move(lost)},
      sender_{end.tcp, windows.peer},
      receiver_{end.tcp, windows.offered},
      work_{simulation, name + " sender"},
      data_{simulation, name + " frames"},
      acks_in_{simulation, name + " ACKs"},
      interrupt_period_{from_seconds(1 / end.cost.interrupt_rate)},
      retransmission_{simulation, name + " retransmission timer",
                      [this] { retransmission_expired(); }},
      delayed_ack_{simulation, name + " delayed ACK", [this] { delayed_ack_expired(); }} {
  simulation.spawn(transmit(), name + " sender");
  simulation.spawn(take_in_data(), name + " frames");
  simulation.spawn(take_in_acks(), name + " ACKs");
}

void TcpEndpoint::restart(std::uint32_t incarnation) {
  incarnation_ = incarnation;
  sender_ = TcpSender{end_.tcp, windows_.peer};
  receiver_ = TcpReceiver{end_.tcp, windows_.offered};
  ring_.clear();
  acks_.clear();
  stalled_ = false;
  counted_retransmissions_ = 0;
  retransmission_.set(std::nullopt);
  delayed_ack_.set(std::nullopt);
}

Bytes TcpEndpoint::write(Bytes message) {
  sender_.write(message);
  work_.notify_all();
  return sender_.written();
}

void TcpEndpoint::fail(IoStatus status) {
  for (const auto& delivery : std::exchange(expected_, {})) {
    delivery->status = status;
    delivery->done.set();
  }
}

Duration TcpEndpoint::prepare(const std::vector<Extent>& segments) const {
  if (end_.cost.segmentation_offload <= Framing::segment) {
    return static_cast<std::int64_t>(segments.size()) * end_.cost.transmit_frame;
  }
  Bytes sum;
  for (const Extent& segment : segments) sum += segment.length;
  return end_.cost.transmit(sum);
}

Task<> TcpEndpoint::transmit() {
  std::vector<Extent> batch;
  for (;;) {
    batch.clear();
    const SimTime asked = simulation_.now();
    for (auto next = sender_.next(asked); next; next = sender_.next(asked)) batch.push_back(*next);
    if (batch.empty()) {
      const bool stalls = sender_.has_unsent();
      if (stalls && !stalled_) ++counters_.window_stalls;
      stalled_ = stalls;
      co_await work_.wait();
      continue;
    }
    retransmission_.set(sender_.timer());
    const std::uint32_t incarnation = incarnation_;
    const Duration work = prepare(batch);
    if (end_.cpu != nullptr) {
      co_await end_.cpu->run(work, CpuWork::network);
    }
    if (incarnation != incarnation_) continue;
    const SimTime now = simulation_.now();
    // The frames leave the processor one after the other; the card starts with the first.
    const Duration took = end_.cpu != nullptr ? end_.cpu->time_of(work) : Duration::zero();
    const Duration each = took / static_cast<std::int64_t>(batch.size());
    SimTime ready = std::max(asked, now - took);
    for (const Extent& segment : batch) {
      ready = std::min(ready + each, now);
      Packet packet;
      packet.position = segment.offset;
      packet.payload = segment.length;
      receiver_.acknowledge_in(packet);
      send(packet, ready);
      ++counters_.frames;
    }
    delayed_ack_.set(std::nullopt);
    counters_.retransmissions += sender_.retransmissions() - counted_retransmissions_;
    counted_retransmissions_ = sender_.retransmissions();
  }
}

void TcpEndpoint::arrive(const Packet& packet) {
  if (packet.incarnation != incarnation_) return;
  if (packet.kind == Packet::Kind::syn) {
    send_handshake(Packet::Kind::syn_ack);
  } else if (packet.kind == Packet::Kind::syn_ack) {
    if (established) established();
  } else if (packet.carries_data() && end_.card != nullptr) {
    end_.card->receive(packet, protocol_);
  } else if (packet.carries_data()) {
    ring_.push_back(packet);
    if (ring_.size() == 1) data_.notify_all();
  } else if (end_.cpu == nullptr || end_.cost.ack == Duration::zero()) {
    take_ack(packet);
  } else {
    acks_.push_back(packet);
    if (acks_.size() == 1) acks_in_.notify_all();
  }
}

void TcpEndpoint::Protocol::arrive(const Packet& packet) {
  if (packet.incarnation == endpoint_.incarnation_) endpoint_.take(packet);
}

Task<> TcpEndpoint::take_in_data() {
  std::vector<Packet> batch;
  for (;;) {
    if (ring_.empty()) {
      co_await data_.wait();
      continue;
    }
    if (simulation_.now() < next_interrupt_) {
      co_await simulation_.delay(next_interrupt_ - simulation_.now());
    }
    next_interrupt_ = simulation_.now() + interrupt_period_;
    batch.clear();
    batch.swap(ring_);
    const std::uint32_t incarnation = incarnation_;
    if (end_.cpu != nullptr) {
      const Duration work = receive_work(batch);
      co_await end_.cpu->run(work, CpuWork::network);
    }
    if (incarnation != incarnation_) continue;
    for (const Packet& packet : batch) take(packet);
  }
}

Duration TcpEndpoint::receive_work(const std::vector<Packet>& packets) const {
  const auto frames = static_cast<std::int64_t>(packets.size());
  Bytes sum;
  for (const Packet& packet : packets) sum += packet.payload;
  const std::int64_t acks = (receiver_.unacknowledged() + frames) / end_.tcp.ack_every;
  return end_.cost.interrupt + frames * end_.cost.receive_frame + acks * end_.cost.ack +
         copy_time(end_.cost.copy, sum);
}

Task<> TcpEndpoint::take_in_acks() {
  std::vector<Packet> batch;
  for (;;) {
    if (acks_.empty()) {
      co_await acks_in_.wait();
      continue;
    }
    batch.clear();
    batch.swap(acks_);
    const auto count = static_cast<std::int64_t>(batch.size());
    const std::uint32_t incarnation = incarnation_;
    co_await end_.cpu->run(count * end_.cost.ack, CpuWork::network);
    if (incarnation != incarnation_) continue;
    for (const Packet& packet : batch) take_ack(packet);
  }
}

void TcpEndpoint::take(const Packet& packet) {
  take_ack(packet);
  const bool at_once = receiver_.take({packet.position, packet.payload}, simulation_.now());
  if (at_once) {
    send_ack();
  } else {
    delayed_ack_.set(receiver_.timer());
  }
  while (!expected_.empty() && expected_.front()->end <= receiver_.received()) {
    expected_.front()->done.set();
    expected_.pop_front();
  }
}

void TcpEndpoint::take_ack(const Packet& packet) {
  if (!sender_.acknowledged(packet, simulation_.now())) return;
  retransmission_.set(sender_.timer());
  work_.notify_all();
}

void TcpEndpoint::send(Packet packet, SimTime ready) {
  packet.incarnation = incarnation_;
  counters_.wire_bytes += packet.wire();
  if (!out_.send(packet, ready, *peer_)) ++counters_.lost_frames;
}

void TcpEndpoint::send_ack() {
  Packet packet;
  packet.position = sender_.written();
  receiver_.acknowledge_in(packet);
  delayed_ack_.set(std::nullopt);
  send(packet, simulation_.now());
}

void TcpEndpoint::send_handshake(Packet::Kind kind) {
  Packet packet;
  packet.kind = kind;
  send(packet, simulation_.now());
}

void TcpEndpoint::delayed_ack_expired() {
  ++counters_.delayed_acks;
  send_ack();
}

void TcpEndpoint::retransmission_expired() {
  sender_.timed_out(simulation_.now());
  ++counters_.timeouts;
  if (sender_.dead()) {
    lost_();
    return;
  }
  retransmission_.set(sender_.timer());
  work_.notify_all();
}

}  // namespace copysim
