#include <copysim/models/cpu/receive_adapter.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <copysim/error.hpp>

namespace copysim {

ReceiveAdapter::ReceiveAdapter(Simulation& simulation, std::string_view name, MulticoreCpu& cpu,
                               PacketThrottle& throttle, Config config)
    : simulation_{simulation},
      cpu_{cpu},
      throttle_{throttle},
      config_{config},
      arrived_{simulation, name} {
  if (config.core < 0 || config.core >= cpu.cores()) {
    throw ConfigError{name, "core must be one of the machine's " + std::to_string(cpu.cores()) +
                                ", got " + std::to_string(config.core)};
  }
  simulation.spawn(serve(), "network card");
}

void ReceiveAdapter::receive(const Packet& packet, PacketSink& protocol) {
  ++counters_.arrived;
  if (ring_.size() >= static_cast<std::size_t>(config_.ring)) {
    ++counters_.dropped;
    return;
  }
  ring_.push_back({.packet = packet, .protocol = &protocol});
  arrived_.notify_one();
}

Task<> ReceiveAdapter::serve() {
  const Duration spacing = from_seconds(1 / config_.interrupt_rate);
  SimTime next_interrupt;
  while (true) {
    if (ring_.empty()) {
      co_await arrived_.wait();
      continue;
    }
    if (simulation_.now() < next_interrupt) {
      co_await simulation_.delay(next_interrupt - simulation_.now());
    }
    next_interrupt = simulation_.now() + spacing;
    ++counters_.interrupts;
    co_await cpu_.run_on(config_.core, CpuLevel::interrupt, config_.interrupt, CpuWork::network);
    co_await hand_on();
  }
}

// The deferred procedure call: until the ring is empty, in steps that an interrupt may stop.
Task<> ReceiveAdapter::hand_on() {
  Duration base = config_.deferred_call;
  std::vector<Waiting> packets;
  while (!ring_.empty()) {
    const int waiting = static_cast<int>(ring_.size());
    const int n = throttle_.take(simulation_.now(), std::min(waiting, config_.packets_per_call));
    if (n == 0) {
      ++counters_.throttled_ticks;
      co_await simulation_.delay(throttle_.next_tick(simulation_.now()) - simulation_.now());
      base = config_.deferred_call;
      continue;
    }
    packets.assign(ring_.begin(), ring_.begin() + n);
    ring_.erase(ring_.begin(), ring_.begin() + n);
    Bytes length;
    for (const Waiting& each : packets) length += each.packet.ip_length();
    Duration work = base + n * config_.packet;
    if (config_.copy > Bandwidth{0}) work += length / config_.copy;
    base = Duration::zero();
    co_await cpu_.run_on(config_.core, CpuLevel::deferred_call, work, CpuWork::network);
    counters_.passed += n;
    counters_.passed_bytes += length;
    for (const Waiting& each : packets) each.protocol->arrive(each.packet);
  }
}

}  // namespace copysim
