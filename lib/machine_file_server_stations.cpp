// The file server under load as a closed queueing network, for mean value analysis.
#include <algorithm>

#include <copysim/error.hpp>
#include <copysim/lib/machine_file_server.hpp>
#include <copysim/lib/scenario_config.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/link/frames.hpp>

namespace copysim {

namespace {

// What the mean operation asks of each part.
struct Demand {
  double wire_in_s = 0;
  double wire_out_s = 0;
  double packets = 0;  // received by the server
  double thread_s = 0;
};

Duration work_of(const FileServer::Config& service, ServerOperation operation) {
  switch (operation) {
    case ServerOperation::read:
    case ServerOperation::write:
      return service.data_work + service.data_size / service.copy;
    case ServerOperation::create:
      return service.open_work;
    case ServerOperation::close:
    case ServerOperation::change:
      return service.change_work;
    case ServerOperation::query:
    case ServerOperation::find:
      return service.query_work;
    default:
      return service.data_work;
  }
}

Demand mean_demand(const FileServerConfig& load) {
  Demand mean;
  const MixSampler mix;
  for (std::size_t i = 0; i < enterprise_disk_mix().size(); ++i) {
    const MixEntry& entry = enterprise_disk_mix()[i];
    const double p = mix.probability(i);
    const Bytes data = load.service.data_size;
    const bool writes = entry.operation == ServerOperation::write;
    const bool reads = entry.operation == ServerOperation::read;
    const Bytes in = entry.request + (writes ? data : Bytes{0});
    const Bytes out = entry.response + (reads ? data : Bytes{0});
    const std::int64_t acks = Framing::frames(out) / 2;
    const Bytes ack_wire = acks * Framing::least_frame;
    mean.wire_in_s += p * seconds((Framing::wire(in) + ack_wire) / load.adapters.rate);
    mean.wire_out_s += p * seconds(Framing::wire(out) / load.adapters.rate);
    mean.packets += p * static_cast<double>(Framing::frames(in) + acks);
    mean.thread_s += p * seconds(work_of(load.service, entry.operation));
  }
  return mean;
}

}  // namespace

std::vector<Station> stations_of(const ScenarioConfig& config, Duration disks) {
  if (!config.file_server || !config.server) {
    throw ConfigError{"scenario", "file_server and server must be given"};
  }
  const FileServerConfig& load = *config.file_server;
  const HostConfig& host = *config.server;
  const double speed = host.machine.cpu.speed;
  const Demand demand = mean_demand(load);
  const int machines = load.clients.machines;
  const int adapters = std::min(load.adapters.adapters, machines);
  std::vector<Station> stations;
  // Equal parallel stations are visited in turn: each has its share of the demand.
  const auto parallel = [&](const std::string& name, double total_s, int number) {
    for (int i = 0; i < number; ++i) {
      stations.push_back({name + std::to_string(i), from_seconds(total_s / number), 1});
    }
  };
  stations.push_back({"client", load.clients.work, 1, true});
  parallel("in", demand.wire_in_s, adapters);
  parallel("out", demand.wire_out_s, adapters);
  stations.push_back({"latency", 2 * load.adapters.latency, 0});
  stations.push_back({"disks", disks, 0});

  const double base = seconds(load.adapters.interrupt + load.adapters.deferred_call);
  const double packet = seconds(load.adapters.packet);
  const ReceiveScaling scaling{host.system.scaling, host.machine.cpu.cores};
  if (!scaling.scales()) {
    stations.push_back({"first core", from_seconds((base + demand.packets * packet) / speed), 1});
  } else {
    const double driver =
        base + demand.packets * (packet * load.adapters.driver_share + seconds(load.adapters.sort));
    const double protocol = seconds(load.adapters.deferred_call) +
                            demand.packets * packet * (1 - load.adapters.driver_share);
    const bool shared = host.system.scaling.kind == ScalingKind::shared_base;
    parallel("driver", driver / speed, shared ? 1 : adapters);
    stations.push_back({"protocol", from_seconds(protocol / speed), scaling.queues()});
  }
  stations.push_back({"threads", from_seconds(demand.thread_s / speed), host.machine.cpu.cores});
  return stations;
}

}  // namespace copysim
