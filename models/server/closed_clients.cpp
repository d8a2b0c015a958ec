#include <copysim/models/server/closed_clients.hpp>

#include <algorithm>
#include <string>

namespace copysim {

ClosedClients::ClosedClients(Simulation& simulation, ServerAdapters& adapters, FileServer& server,
                             const Config& config, Duration interval)
    : simulation_{simulation},
      adapters_{adapters},
      server_{server},
      config_{config},
      interval_{interval},
      free_from_(static_cast<std::size_t>(config.machines)) {
  RandomStream starts = simulation.random("clients.start");
  for (int i = 0; i < config.machines; ++i) {
    starts_.push_back(starts.uniform(Duration{0}, config.start));
  }
  for (int i = 0; i < config.machines * config.engines; ++i) {
    simulation.spawn(stream(i / config.engines, i), "client");
  }
}

Task<> ClosedClients::stream(int machine, int number) {
  RandomStream random = simulation_.random("client." + std::to_string(number));
  SimTime& free_from = free_from_[static_cast<std::size_t>(machine)];
  co_await simulation_.delay(starts_[static_cast<std::size_t>(machine)]);
  while (true) {
    const MixEntry& entry = mix_.draw(random);
    free_from = std::max(free_from, simulation_.now()) + random.exponential(config_.work);
    co_await simulation_.delay(free_from - simulation_.now());
    const SimTime asked = simulation_.now();
    const Bytes data = server_.data_of(entry.operation);
    const bool writes = entry.operation == ServerOperation::write;
    const Bytes comes = entry.request + (writes ? data : Bytes{0});
    const Bytes goes = entry.response + (writes ? Bytes{0} : data);
    co_await adapters_.receive(machine, comes);
    co_await server_.serve(number, entry);
    co_await adapters_.send(machine, goes);
    responses_.add(simulation_.now() - asked);
    const auto i = static_cast<std::size_t>(simulation_.now().time_since_epoch() / interval_);
    if (i >= bytes_.size()) {
      bytes_.resize(i + 1);
      operations_.resize(i + 1);
    }
    bytes_[i] += static_cast<double>(data.count());
    operations_[i] += 1;
  }
}

}  // namespace copysim
