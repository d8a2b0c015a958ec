#pragma once

#include <memory>
#include <vector>

#include <copysim/lib/counters.hpp>
#include <copysim/lib/machine.hpp>
#include <copysim/lib/testbed.hpp>
#include <copysim/models/link/link.hpp>
#include <copysim/models/link/logged_transport.hpp>
#include <copysim/models/smb/smb_client.hpp>
#include <copysim/models/smb/smb_server.hpp>
#include <copysim/models/smb/smb_session.hpp>

namespace copysim::detail {

/// A directory of the server as the client sees it: the link, the connections over it, the server
/// of files behind them, and another client that may look in.
class RemoteShare {
public:
  /// `far` is the machine that serves `directory`; all references outlive the share.
  RemoteShare(Simulation& sim, const ScenarioConfig& config, Machine& client, Machine& far,
              FileStore& directory, const Observers& observers);

  [[nodiscard]] FileStore& store() { return *share_; }
  /// `directory` of the same server, which outlives it, over the same connections.
  [[nodiscard]] FileStore& beside(FileStore& directory, bool same_share);

  /// What link, client and server counted so far.
  void count(Counters& counters) const;

private:
  // TCP, what writes its messages down, and what looks after it where the link can fail.
  struct Connection {
    std::unique_ptr<Transport> transport;
    std::unique_ptr<LoggedTransport> logged;
    std::unique_ptr<SmbSession> session;
  };

  [[nodiscard]] Transport& connect(const ScenarioConfig& config, Machine& client, Machine& far,
                                   const Observers& observers);
  void admit_visitor(const ScenarioConfig& config, Machine& far);

  Simulation& sim_;
  std::unique_ptr<Link> link_;
  std::vector<Connection> connections_;
  SmbServer server_;
  std::unique_ptr<SmbClient> share_;
  std::unique_ptr<SmbClient> beside_;
  std::unique_ptr<Machine> visitor_;
  std::unique_ptr<Transport> visitor_transport_;
  std::unique_ptr<SmbClient> visitor_share_;
};

}  // namespace copysim::detail
