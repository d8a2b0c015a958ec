#include <copysim/lib/machine_file_server.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/lib/batch_means.hpp>
#include <copysim/lib/machine_drive.hpp>
#include <copysim/lib/scenario_config.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>

namespace copysim {

namespace {

const FileServerConfig& checked(const ScenarioConfig& config) {
  if (!config.file_server || !config.server) {
    throw ConfigError{"scenario", "file_server and server must be given"};
  }
  if (!config.server->machine.volumes.contains(config.file_server->volume)) {
    throw ConfigError{"file_server",
                      "volume must be one of the server's, got " + config.file_server->volume};
  }
  // At most half of the observations are warm-up, and 20 batches need one each.
  if (config.file_server->length / config.file_server->interval < 40) {
    throw ConfigError{"file_server",
                      "length must be at least 40 times interval, got " +
                          std::to_string(seconds(config.file_server->length)) + " s and " +
                          std::to_string(seconds(config.file_server->interval)) + " s"};
  }
  return *config.file_server;
}

// How busy everything has been, in seconds, in one fixed order.
struct Busy {
  std::vector<double> cores;  // by core: thread, deferred call, interrupt
  std::vector<double> wires;  // by adapter: in, out
  double disks = 0;
};

class LoadedServer {
public:
  LoadedServer(const ScenarioConfig& config, std::uint64_t replication)
      : config_{config},
        load_{checked(config)},
        host_{*config.server},
        sim_{{.seed = static_cast<std::uint64_t>(config.run.seed), .replication = replication}},
        cpu_{sim_, "server", host_.machine.cpu, host_.system.scheduler},
        disks_{make_drive(sim_, "server.disk." + load_.volume,
                          host_.machine.volumes.at(load_.volume).device)},
        adapters_{sim_, "adapters", cpu_, load_.adapters, host_.system.scaling},
        server_{sim_,
                cpu_,
                *disks_,
                host_.machine.memory.size - host_.system.cache.in_use,
                load_.clients.machines * load_.clients.engines,
                load_.service},
        clients_{sim_, adapters_, server_, load_.clients, load_.interval} {}
  LoadedServer(const LoadedServer&) = delete;
  LoadedServer& operator=(const LoadedServer&) = delete;
  ~LoadedServer() { sim_.close(); }

  RunResult run() {
    // All have started; what is left of the warm-up is detected.
    sim_.run_until(SimTime{std::min(load_.clients.start, load_.length / 2)});
    const Busy before = busy();
    const SimTime marked = sim_.now();
    sim_.run_until(SimTime{load_.length});
    RunResult result;
    report_rates(result);
    report_analysis(result);
    report_busy(result.counters, before, busy(), seconds(sim_.now() - marked));
    return result;
  }

private:
  void report_rates(RunResult& result) const {
    // The last interval may be cut short.
    const auto whole = static_cast<std::size_t>(load_.length / load_.interval);
    std::vector<double> bytes = clients_.bytes_by_interval();
    std::vector<double> operations = clients_.operations_by_interval();
    bytes.resize(whole);
    operations.resize(whole);
    const std::size_t first = warm_up_length(operations);
    const double s = seconds(load_.interval);
    const Estimate data = batch_means(bytes, first);
    const Estimate rate = batch_means(operations, first);
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(first);
    result.copied = Bytes{static_cast<std::int64_t>(std::accumulate(from, bytes.end(), 0.0))};
    result.elapsed = result.durable = load_.length - static_cast<int>(first) * load_.interval;
    result.counters = {{"load.data_bytes_per_s", data.mean / s},
                       {"load.data_bytes_per_s_ci95", data.ci95 / s},
                       {"load.operations_per_s", rate.mean / s},
                       {"load.operations_per_s_ci95", rate.ci95 / s},
                       {"load.response_ms", clients_.responses().mean() * 1e3},
                       {"load.warm_up_s", static_cast<double>(first) * s}};
  }

  // What an operation waits for the disks is measured, all else follows from the configuration.
  void report_analysis(RunResult& result) const {
    const auto operations = static_cast<double>(clients_.responses().count());
    const double disks = seconds(server_.counters().waited) / std::max(operations, 1.0);
    const NetworkMeans means = mean_value_analysis(stations_of(config_, from_seconds(disks)),
                                                   load_.clients.engines, load_.clients.machines);
    result.counters.emplace_back("load.mva_operations_per_s", means.throughput);
  }

  [[nodiscard]] Busy busy() const {
    Busy now;
    for (int core = 0; core < cpu_.cores(); ++core) {
      for (const CpuLevel level :
           {CpuLevel::thread, CpuLevel::deferred_call, CpuLevel::interrupt}) {
        now.cores.push_back(seconds(cpu_.used(core, level)));
      }
    }
    for (int i = 0; i < adapters_.adapters(); ++i) {
      now.wires.push_back(seconds(adapters_.counters(i).wire_in));
      now.wires.push_back(seconds(adapters_.counters(i).wire_out));
    }
    now.disks = seconds(disks_->counters().busy_time);
    return now;
  }

  static void report_busy(Counters& counters, const Busy& from, const Busy& to, double s) {
    const auto percent = [&](std::string name, double a, double b) {
      counters.emplace_back(std::move(name), 100 * (b - a) / s);
    };
    constexpr std::array<const char*, 3> levels{"thread", "deferred_call", "interrupt"};
    for (std::size_t i = 0; i < to.cores.size(); ++i) {
      std::string name = "server.cpu.core" + std::to_string(i / 3);
      name.append(".").append(levels.at(i % 3)).append("_percent");
      percent(std::move(name), from.cores[i], to.cores[i]);
    }
    for (std::size_t i = 0; i < to.wires.size(); ++i) {
      std::string name = "server.adapter" + std::to_string(i / 2);
      name.append(i % 2 == 0 ? ".in_percent" : ".out_percent");
      percent(std::move(name), from.wires[i], to.wires[i]);
    }
    percent("server.disks.busy_percent", from.disks, to.disks);
  }

  const ScenarioConfig& config_;
  const FileServerConfig& load_;
  const HostConfig& host_;
  Simulation sim_;
  SharedCpu cpu_;
  std::unique_ptr<BlockDevice> disks_;
  ServerAdapters adapters_;
  FileServer server_;
  ClosedClients clients_;
};

}  // namespace

RunResult run_file_server(const ScenarioConfig& config, std::uint64_t replication) {
  return LoadedServer{config, replication}.run();
}

}  // namespace copysim
