#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <copysim/lib/desktop_config.hpp>
#include <copysim/lib/device_benchmark.hpp>
#include <copysim/lib/machine_config.hpp>
#include <copysim/lib/machine_file_server.hpp>
#include <copysim/lib/machine_reception.hpp>
#include <copysim/lib/workload.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// The direction of a copy as the client sees it.
enum class Direction : std::uint8_t { read, write, server };
[[nodiscard]] std::string_view to_string(Direction direction);
[[nodiscard]] constexpr std::array<Direction, 3> all_values(Direction) {
  return {Direction::read, Direction::write, Direction::server};
}

/// What is copied: the table `[copy]`.
///
/// `from` and `to` name volumes: of the client and of the server, or both of the client when there
/// is no server. A `write` goes from `from` to `to`, a `read` comes back from `to` to `from`. When
/// nothing is said, a copy over a link reads and a local one writes. With `server` the client
/// copies from `from` to `to`, both of the server: one volume is one share, and two are two.
struct CopyConfig {
  Direction direction = Direction::read;
  std::string workload;
  std::string from = "system";
  std::string to = "system";
  /// So long after its start another client of the server opens the copy's first file there, for
  /// reading, and closes it again, which breaks an exclusive oplock; zero: nobody does.
  Duration visitor_after{};

  static constexpr auto parameters = std::tuple{
      parameter("direction", &CopyConfig::direction,
                "write: from `from` to `to`; read: back; server: both are there"),
      parameter("workload", &CopyConfig::workload, "which of the workloads"),
      parameter("from", &CopyConfig::from,
                "volume of the client; of the server with direction server"),
      parameter("to", &CopyConfig::to, "volume of the server, or of the client"),
      parameter("visitor_after", &CopyConfig::visitor_after,
                "time after which another client opens the first file; 0: never",
                at_least(Duration{0})),
  };
};

/// How often a copy is simulated: the table `[run]`.
struct RunConfig {
  std::int64_t replications = 1;  ///< they differ in the random start of the platters
  std::int64_t seed = 1;

  static constexpr auto parameters = std::tuple{
      parameter("replications", &RunConfig::replications, "independent runs",
                between(1, 1'000'000)),
      parameter("seed", &RunConfig::seed, "of all random streams", at_least(0)),
  };
};

/// Everything that a run needs to know, from the sheets, the scenario file and the command line.
struct ScenarioConfig {
  HostConfig client;
  std::optional<HostConfig> server;  ///< none: a copy within the client
  LinkConfig link;                   ///< only with a server
  std::string policy_id;
  CopyConfig copy;
  WorkloadConfig workload;
  DesktopPlan desktop;  ///< programs in place of the copy, and beside it
  RunConfig run;
  /// A scenario that measures a bare device instead of a copy; then only `run` counts besides.
  std::optional<DeviceBenchmark> device;
  /// Another experiment than a copy: a machine that receives. Then only `client`, `link` and `run`
  /// count.
  std::optional<ReceptionConfig> reception;
  /// Another experiment: a file server under load. Then only `server` and `run` count.
  std::optional<FileServerConfig> file_server;

  [[nodiscard]] bool remote() const { return server.has_value(); }
};

}  // namespace copysim
