#pragma once

#include <memory>
#include <string>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/link/transport.hpp>
#include <copysim/models/smb/smb_counters.hpp>
#include <copysim/models/smb/smb_dialect.hpp>
#include <copysim/models/smb/smb_server.hpp>
#include <copysim/sim/probe.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// The client's half of one SMB connection: the limit on outstanding requests, the messages on the
/// wire, and the counting.
///
/// A request is `send`, then the server's work, then `receive`, all in the task of the caller. A
/// request that finds no free slot (MaxMpx, credits) waits its turn, first come first served. After
/// a failed `send` the slot is free again and `receive` must not be called.
class SmbConnection {
public:
  /// Processor, transport and server outlive the connection.
  SmbConnection(Simulation& simulation, Cpu& cpu, Transport& transport, SmbServer& server,
                const RedirectorConfig& config);

  /// Takes a slot and brings a request to the server; `payload` is what it carries besides its
  /// header, and `chained` the operations that are compounded behind it.
  [[nodiscard]] Task<IoStatus> send(SmbOperation operation, Bytes payload, int chained = 0);
  /// Brings the answer to the client and gives the slot back, with new credits if any.
  [[nodiscard]] Task<IoStatus> receive(SmbOperation operation, Bytes payload, int chained = 0);
  /// `send` and `receive` of a request that the server answers from memory, `times` in a row.
  [[nodiscard]] Task<IoStatus> ask(SmbOperation operation, Bytes payload, int times = 1);

  [[nodiscard]] SmbServer& server() { return server_; }
  [[nodiscard]] const SmbDialect& dialect() const { return *dialect_; }
  [[nodiscard]] const SmbLimits& limits() const { return limits_; }
  [[nodiscard]] const SmbClientCounters& counters() const { return counters_; }
  [[nodiscard]] SmbClientCounters& counters() { return counters_; }
  /// Requests that may be outstanding at present: MaxMpx, or all credits.
  [[nodiscard]] int slots() const { return slots_total_; }

  /// Reports each request when it has got its slot: what, with how many bytes of payload.
  Probe<SmbOperation, Bytes> requested{"smb.request"};

private:
  void give_back_slot(bool answered);
  // Messages compounded behind a first one are queries.
  [[nodiscard]] Bytes chained_request(int chained) const;
  [[nodiscard]] Bytes chained_response(int chained) const;

  Cpu& cpu_;
  Transport& transport_;
  SmbServer& server_;
  Duration request_cpu_;
  std::unique_ptr<SmbDialect> dialect_;
  SmbLimits limits_;
  int slots_total_;
  Semaphore slots_;
  std::int64_t outstanding_ = 0;
  SmbClientCounters counters_;
};

}  // namespace copysim
