#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include <copysim/models/link/transport.hpp>
#include <copysim/models/smb/redirector_config.hpp>
#include <copysim/models/smb/smb_dialect.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// What an SMB client does about a connection that fails: it stands between `SmbConnection` and a
/// transport that can lose something.
///
/// A message that is not through after `request_timeout` ends the connection, as does TCP when it
/// gives up. Without durable handles (SMB 1.0, smbclient) every request ends with `link_down` then:
/// the server has closed the files. With them (MS-SMB2 3.2.4.4, from 2.002 on) the first request
/// that fails makes the connection again for up to `reconnect_for`: TCP handshake, negotiation,
/// session, tree, and the open file; then each request that had no answer is sent again and
/// answered again. The server has kept what it did the first time, so no byte is written twice with
/// other content.
///
/// Left out: work of the processors for this; more than one open file; leases.
class SmbSession final : public Transport {
public:
  /// The transport outlives the session.
  SmbSession(Simulation& simulation, Transport& transport, const RedirectorConfig& client,
             SmbVersion server);

  [[nodiscard]] Task<IoStatus> connect() override;
  [[nodiscard]] Task<IoStatus> deliver(Toward toward, Bytes message) override;
  void disconnect() override { transport_.disconnect(); }
  [[nodiscard]] bool may_fail() const override { return transport_.may_fail(); }
  [[nodiscard]] const TransportCounters& counters() const override { return transport_.counters(); }

  /// Times that the connection was made again.
  [[nodiscard]] std::int64_t reconnects() const { return reconnects_; }
  /// Times that a message took too long.
  [[nodiscard]] std::int64_t timeouts() const { return timeouts_; }

private:
  [[nodiscard]] Task<IoStatus> carry(Toward toward, Bytes message);
  [[nodiscard]] Task<IoStatus> restore(std::int64_t life);
  [[nodiscard]] Task<IoStatus> introduce();

  Simulation& simulation_;
  Transport& transport_;
  Duration request_timeout_;
  Duration reconnect_for_;
  std::unique_ptr<SmbDialect> dialect_;
  bool durable_;
  std::deque<Bytes> unanswered_;     // requests that are through
  std::shared_ptr<Event> restored_;  // while somebody makes the connection again
  bool dead_ = false;
  std::int64_t reconnects_ = 0;
  std::int64_t timeouts_ = 0;
};

}  // namespace copysim
