#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include <copysim/models/parameter.hpp>
#include <copysim/models/server/file_server.hpp>
#include <copysim/models/server/operation_mix.hpp>
#include <copysim/models/server/server_adapters.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/statistics.hpp>

namespace copysim {

/// Client machines that load a file server in a closed loop, as NetBench does.
///
/// Each machine runs `engines` streams. A stream asks for an operation of the mix, waits for the
/// answer and asks for the next, without thinking; before each its machine works, one stream at a
/// time, for an exponential time of mean `work`. Machines start at random within `start`.
class ClosedClients {
public:
  struct Config {
    int machines = 60;  ///< documented (article 004): 1, then 4, 8, ... 60
    int engines = 2;    ///< documented (article 004): doubled in 2009
    /// Assumed: a client PC of 2009 needs half a millisecond per operation; it decides how steep
    /// the curve is, and not where it ends.
    Duration work = 500us;
    Duration start = 5s;  ///< documented (MINDCRAFT): start delay uniform in 0 .. 5 s

    static constexpr auto parameters = std::tuple{
        parameter("machines", &Config::machines, "client machines", between(1, 10'000)),
        parameter("engines", &Config::engines, "streams of requests per machine", between(1, 1000)),
        parameter("work", &Config::work, "mean work of a client per operation",
                  at_least(Duration{0})),
        parameter("start", &Config::start, "machines start at random within this time",
                  at_least(Duration{0})),
    };
  };

  /// Starts all clients; bytes are counted per `interval`. All outlive the simulation's tasks.
  ClosedClients(Simulation& simulation, ServerAdapters& adapters, FileServer& server,
                const Config& config, Duration interval);

  /// File data moved, both directions, in each interval since the start.
  [[nodiscard]] const std::vector<double>& bytes_by_interval() const { return bytes_; }
  /// Operations done in each interval.
  [[nodiscard]] const std::vector<double>& operations_by_interval() const { return operations_; }
  /// From asking to the answer, without the client's own work; since the start.
  [[nodiscard]] const Tally& responses() const { return responses_; }

private:
  Task<> stream(int machine, int number);

  Simulation& simulation_;
  ServerAdapters& adapters_;
  FileServer& server_;
  Config config_;
  Duration interval_;
  MixSampler mix_;
  std::vector<SimTime> free_from_;  // by machine
  std::vector<Duration> starts_;
  std::vector<double> bytes_;
  std::vector<double> operations_;
  Tally responses_;
};

}  // namespace copysim
