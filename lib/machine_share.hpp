#pragma once

#include <memory>
#include <vector>

#include <copysim/lib/counters.hpp>
#include <copysim/lib/scenario_config.hpp>
#include <copysim/lib/testbed.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

class Link;
class Machine;
class SmbClient;
class SmbServer;
class Transport;

namespace detail {

/// A directory of the server as the client sees it: the link, the connections over it, the server
/// of files behind them, and another client that may look in.
class RemoteShare {
public:
  /// `far` is the machine that serves `directory`; all references outlive the share.
  RemoteShare(Simulation& sim, const ScenarioConfig& config, Machine& client, Machine& far,
              FileStore& directory, const Observers& observers);
  RemoteShare(const RemoteShare&) = delete;
  RemoteShare& operator=(const RemoteShare&) = delete;
  ~RemoteShare();

  [[nodiscard]] FileStore& store();
  /// `directory` of the same server, which outlives it, over the same connections.
  [[nodiscard]] FileStore& beside(FileStore& directory, bool same_share);

  /// What link, client and server counted so far.
  void count(Counters& counters) const;

private:
  struct Connection;
  [[nodiscard]] Transport& connect(const ScenarioConfig& config, Machine& client, Machine& far,
                                   const Observers& observers);
  void admit_visitor(const ScenarioConfig& config, Machine& far);

  Simulation& sim_;
  std::unique_ptr<Link> link_;
  std::vector<Connection> connections_;
  std::unique_ptr<SmbServer> server_;
  std::unique_ptr<SmbClient> share_;
  std::unique_ptr<SmbClient> beside_;
  std::unique_ptr<Machine> visitor_;
  std::unique_ptr<Transport> visitor_transport_;
  std::unique_ptr<SmbClient> visitor_share_;
};

}  // namespace detail

}  // namespace copysim
