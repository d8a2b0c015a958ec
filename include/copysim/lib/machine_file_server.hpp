#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <copysim/lib/measure.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/models/server/closed_clients.hpp>
#include <copysim/models/server/file_server.hpp>
#include <copysim/models/server/mean_value_analysis.hpp>
#include <copysim/models/server/server_adapters.hpp>

namespace copysim {

struct ScenarioConfig;

/// A file server under the load of many clients: the table `[file_server]` of a scenario, which
/// then has no copy, no engine and no client, but a server.
struct FileServerConfig {
  ClosedClients::Config clients;
  ServerAdapters::Config adapters;
  FileServer::Config service;
  std::string volume = "array";  ///< of the server; it holds the workspaces
  Duration length = 60s;         ///< simulated; its warm-up is detected and left out
  Duration interval = 100ms;     ///< of the observations that the means are made of

  static constexpr auto parameters = std::tuple{
      section("clients", &FileServerConfig::clients, "the machines that load it"),
      section("adapters", &FileServerConfig::adapters, "its network"),
      section("service", &FileServerConfig::service, "its work"),
      parameter("volume", &FileServerConfig::volume, "volume that holds the files"),
      parameter("length", &FileServerConfig::length, "simulated time", at_least(1s)),
      parameter("interval", &FileServerConfig::interval, "time of an observation", at_least(1ms)),
  };
};

/// Simulates the load. `elapsed` is the time after the warm-up, `copied` the file data moved in it,
/// both directions; counters tell rates with confidence intervals by batch means, how busy each
/// resource was, and what mean value analysis says of the same network.
/// \throws ConfigError if the configuration has no file server or lacks its volume.
[[nodiscard]] RunResult run_file_server(const ScenarioConfig& config, std::uint64_t replication);

/// The closed network that the load is, as mean value analysis takes it: stations with the mean
/// demand of an operation. Placement counts: without scaling, one core does all receiving. `disks`
/// is the mean time that an operation waits for the disks, taken from a run: a delay.
[[nodiscard]] std::vector<Station> stations_of(const ScenarioConfig& config, Duration disks);

}  // namespace copysim
