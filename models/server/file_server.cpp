#include <copysim/models/server/file_server.hpp>

#include <algorithm>

#include <copysim/error.hpp>

namespace copysim {

FileServer::FileServer(Simulation& simulation, Cpu& cpu, BlockDevice& disks, Bytes cache,
                       int streams, const Config& config)
    : simulation_{simulation},
      cpu_{cpu},
      disks_{disks},
      config_{config},
      hit_probability_{
          std::min(1.0, static_cast<double>(cache.count()) /
                            static_cast<double>((streams * config.workspace).count()))},
      random_{simulation.random("server.files")},
      dirty_(static_cast<std::size_t>(streams)) {
  if (streams * config.workspace > disks.capacity()) {
    throw ConfigError{"file server", "workspaces must fit the disks"};
  }
  simulation.spawn(write_lazily(), "lazy writer");
}

Duration FileServer::work_of(ServerOperation operation) const {
  switch (operation) {
    case ServerOperation::read:
    case ServerOperation::write:
      return config_.data_work + config_.data_size / config_.copy;
    case ServerOperation::flush:
    case ServerOperation::lock:
      return config_.data_work;
    case ServerOperation::create:
      return config_.open_work;
    case ServerOperation::close:
    case ServerOperation::change:
      return config_.change_work;
    case ServerOperation::query:
    case ServerOperation::find:
      return config_.query_work;
  }
  throw SimulationError{"unknown operation"};
}

Bytes FileServer::data_of(ServerOperation operation) const {
  const bool data = operation == ServerOperation::read || operation == ServerOperation::write;
  return data ? config_.data_size : Bytes{0};
}

Extent FileServer::place(int stream, Bytes length) {
  const Bytes sector{512};
  const Bytes room = config_.workspace - length;
  const auto places = static_cast<std::uint64_t>(std::max<std::int64_t>(1, room / sector));
  const auto at = static_cast<std::int64_t>(random_.below(places));
  const Bytes start = align_down(stream * config_.workspace, sector) + at * sector;
  return {start, align_up(length, sector)};
}

Task<> FileServer::serve(int stream, const MixEntry& entry) {
  co_await cpu_.run(work_of(entry.operation), CpuWork::thread);
  Bytes& dirty = dirty_[static_cast<std::size_t>(stream)];
  if (entry.operation == ServerOperation::write) dirty += config_.data_size;
  if (entry.operation == ServerOperation::read && hit_probability_ < 1 &&
      random_.uniform() >= hit_probability_) {
    ++counters_.misses;
    const SimTime asked = simulation_.now();
    const Extent extent = place(stream, config_.data_size);
    co_await disks_.submit({.access = Access::read, .extent = extent});
    counters_.waited += simulation_.now() - asked;
  }
  if (entry.operation == ServerOperation::flush && dirty > Bytes{0}) {
    ++counters_.flushes;
    const Bytes length = dirty;
    dirty = Bytes{0};
    const SimTime asked = simulation_.now();
    co_await write_back(stream, length);
    counters_.waited += simulation_.now() - asked;
  }
}

Task<> FileServer::write_back(int stream, Bytes length) {
  counters_.written += length;
  Bytes left = std::min(length, config_.workspace / 2);
  Extent extent = place(stream, left);
  while (extent.length > Bytes{0}) {
    const Extent piece{extent.offset, std::min(extent.length, config_.disk_request)};
    co_await disks_.submit({.access = Access::write, .extent = piece});
    extent.offset += piece.length;
    extent.length -= piece.length;
  }
}

Task<> FileServer::write_lazily() {
  std::size_t next = 0;
  while (true) {
    co_await simulation_.delay(1s);
    Bytes all;
    for (const Bytes& dirty : dirty_) all += dirty;
    Bytes target = all / 8;
    for (std::size_t i = 0; i < dirty_.size() && target > Bytes{0}; ++i) {
      next = (next + 1) % dirty_.size();
      const Bytes length = dirty_[next];
      if (length == Bytes{0}) continue;
      dirty_[next] = Bytes{0};
      target -= length;
      co_await write_back(static_cast<int>(next), length);
    }
  }
}

}  // namespace copysim
