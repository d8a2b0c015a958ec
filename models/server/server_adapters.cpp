#include <copysim/models/server/server_adapters.hpp>

#include <algorithm>

#include <copysim/error.hpp>
#include <copysim/models/link/frames.hpp>

namespace copysim {

ServerAdapters::Adapter::Adapter(Simulation& simulation, int cores)
    : arrived{simulation, "adapter"} {
  for (int i = 0; i < cores; ++i) queues.push_back(std::make_unique<Queue>(simulation));
}

ServerAdapters::ServerAdapters(Simulation& simulation, std::string_view name, MulticoreCpu& cpu,
                               const Config& config, const ReceiveScaling::Config& scaling)
    : simulation_{simulation}, cpu_{cpu}, config_{config}, scaling_{scaling, cpu.cores()} {
  if (config.adapters < 1) {
    throw ConfigError{name, "adapters must be at least 1, got " + std::to_string(config.adapters)};
  }
  for (int i = 0; i < config.adapters; ++i) {
    adapters_.push_back(std::make_unique<Adapter>(simulation, scaling_.queues()));
    simulation.spawn(serve(i), "adapter");
  }
}

const ServerAdapters::Counters& ServerAdapters::counters(int adapter) const {
  return adapters_.at(static_cast<std::size_t>(adapter))->counters;
}

ServerAdapters::Adapter& ServerAdapters::adapter_of(int client) {
  return *adapters_[static_cast<std::size_t>(client % config_.adapters)];
}

Task<> ServerAdapters::receive(int client, Bytes message) {
  Adapter& adapter = adapter_of(client);
  const Duration wire = Framing::wire(message) / config_.rate;
  adapter.in_free = std::max(adapter.in_free, simulation_.now()) + wire;
  adapter.counters.wire_in += wire;
  co_await simulation_.delay(adapter.in_free - simulation_.now() + config_.latency);
  const int hash = client / config_.adapters % scaling_.queues();
  Queue& queue = *adapter.queues[static_cast<std::size_t>(hash)];
  ++queue.messages;
  queue.packets += Framing::frames(message);
  adapter.arrived.notify_one();
  co_await queue.done.wait();
}

Task<> ServerAdapters::send(int client, Bytes message) {
  Adapter& adapter = adapter_of(client);
  const Duration wire = Framing::wire(message) / config_.rate;
  adapter.out_free = std::max(adapter.out_free, simulation_.now()) + wire;
  adapter.counters.wire_out += wire;
  const SimTime there = adapter.out_free + config_.latency;
  co_await simulation_.delay(there - simulation_.now());
  // Acknowledgements of whole pairs of frames; the last odd one rides on the next request. They
  // wake nobody, so they are handled with the next message.
  const std::int64_t acks = Framing::frames(message) / 2;
  const Duration ack_wire = acks * (Framing::least_frame / config_.rate);
  adapter.in_free = std::max(adapter.in_free, simulation_.now()) + ack_wire;
  adapter.counters.wire_in += ack_wire;
  const int hash = client / config_.adapters % scaling_.queues();
  adapter.queues[static_cast<std::size_t>(hash)]->packets += acks;
}

Task<> ServerAdapters::serve(int number) {
  Adapter& adapter = *adapters_[static_cast<std::size_t>(number)];
  const int core = scaling_.interrupt_core(number);
  const Duration spacing = from_seconds(1 / config_.interrupt_rate);
  SimTime next_interrupt;
  const auto waits = [](const std::unique_ptr<Queue>& queue) { return queue->messages > 0; };
  while (true) {
    if (std::none_of(adapter.queues.begin(), adapter.queues.end(), waits)) {
      co_await adapter.arrived.wait();
      continue;
    }
    if (simulation_.now() < next_interrupt) {
      co_await simulation_.delay(next_interrupt - simulation_.now());
    }
    next_interrupt = simulation_.now() + spacing;
    ++adapter.counters.interrupts;
    co_await cpu_.run_on(core, CpuLevel::interrupt, config_.interrupt, CpuWork::network);
    if (scaling_.scales()) {
      co_await handle_scaled(adapter, number, core);
    } else {
      co_await handle_all(adapter, core);
    }
  }
}

Task<> ServerAdapters::handle_all(Adapter& adapter, int core) {
  Queue& queue = *adapter.queues.front();
  const std::int64_t messages = queue.messages;
  const std::int64_t packets = queue.packets;
  queue.messages = queue.packets = 0;
  adapter.counters.packets += packets;
  const Duration work = config_.deferred_call + packets * config_.packet;
  co_await cpu_.run_on(core, CpuLevel::deferred_call, work, CpuWork::network);
  for (std::int64_t i = 0; i < messages; ++i) queue.done.notify_one();
}

Task<> ServerAdapters::handle_scaled(Adapter& adapter, int number, int core) {
  struct Share {
    Queue* queue;
    int core;
    std::int64_t messages;
    std::int64_t packets;
  };
  std::vector<Share> shares;
  std::int64_t packets = 0;
  for (int i = 0; i < scaling_.queues(); ++i) {
    Queue& queue = *adapter.queues[static_cast<std::size_t>(i)];
    if (queue.packets == 0) continue;
    shares.push_back({&queue, scaling_.core(number, i), queue.messages, queue.packets});
    packets += queue.packets;
    queue.messages = queue.packets = 0;
  }
  adapter.counters.packets += packets;
  const Duration driver = from_seconds(seconds(config_.packet) * config_.driver_share);
  const Duration work = config_.deferred_call + packets * (driver + config_.sort);
  co_await cpu_.run_on(core, CpuLevel::deferred_call, work, CpuWork::network);
  TaskGroup calls{simulation_};
  for (const Share& share : shares) {
    calls.spawn(handle_queue(*share.queue, share.core, share.messages, share.packets));
  }
  co_await calls.join();
}

Task<> ServerAdapters::handle_queue(Queue& queue, int core, std::int64_t messages,
                                    std::int64_t packets) {
  const Duration driver = from_seconds(seconds(config_.packet) * config_.driver_share);
  const Duration work = config_.deferred_call + packets * (config_.packet - driver);
  co_await cpu_.run_on(core, CpuLevel::deferred_call, work, CpuWork::network);
  for (std::int64_t i = 0; i < messages; ++i) queue.done.notify_one();
}

}  // namespace copysim
