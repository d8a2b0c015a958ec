#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/link/transport.hpp>
#include <copysim/models/smb/smb_channels.hpp>
#include <copysim/models/smb/smb_counters.hpp>
#include <copysim/models/smb/smb_dialect.hpp>
#include <copysim/models/smb/smb_message_cost.hpp>
#include <copysim/models/smb/smb_request.hpp>
#include <copysim/models/smb/smb_server.hpp>
#include <copysim/sim/probe.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// The client's half of one SMB session, mostly over one connection (`SmbChannels`): the limit on
/// outstanding requests, the messages on the wire, and the counting.
///
/// A request is `send`, then the server's work, then `receive`, all in the task of the caller. A
/// request that finds too few free slots (MaxMpx, credits) waits its turn, first come first served.
/// After a failed `send` the slots are free again and `receive` must not be called. The processor
/// works `request_cpu` for the request and `SmbMessageCost` for its data, in the one thread of a
/// program or wherever a core is free.
class SmbConnection {
public:
  /// Processor, transport and server outlive the connection.
  SmbConnection(Simulation& simulation, Cpu& cpu, Transport& transport, SmbServer& server,
                const RedirectorConfig& config, SmbMessageCost cost = {});

  /// Takes its slots and brings a request to the server. The request outlives its answer.
  [[nodiscard]] Task<IoStatus> send(SmbRequest& request);
  /// Brings the answer with `data` to the client and gives the slots back, with new credits if any.
  [[nodiscard]] Task<IoStatus> receive(SmbRequest& request, Bytes data);
  /// The same for a request without file data; `payload` are names or directory entries, and
  /// `chain` is what is compounded behind it.
  [[nodiscard]] Task<IoStatus> send(SmbOperation operation, Bytes payload, SmbChain chain = {});
  [[nodiscard]] Task<IoStatus> receive(SmbOperation operation, Bytes payload, SmbChain chain = {});
  /// `send` and `receive` of a request that the server answers from memory, `times` in a row.
  [[nodiscard]] Task<IoStatus> ask(SmbOperation operation, Bytes payload, int times = 1);

  /// Brings a message that is no request, a break or its acknowledgement, without taking a slot.
  [[nodiscard]] Task<IoStatus> tell(Toward toward, SmbOperation operation);

  [[nodiscard]] SmbServer& server() { return server_; }
  [[nodiscard]] const SmbDialect& dialect() const { return *dialect_; }
  [[nodiscard]] const SmbLimits& limits() const { return limits_; }
  [[nodiscard]] const SmbClientCounters& counters() const { return counters_; }
  [[nodiscard]] SmbClientCounters& counters() { return counters_; }
  /// Says what compression leaves of each byte of file data; 1: it does not get smaller.
  void contents_compress_to(double part) { compressed_to_ = part; }
  /// So much data of a request in a message, with what is left of it on the wire.
  [[nodiscard]] SmbData data_of(const SmbRequest& request, Bytes size) const;

  /// Slots that exist at present, used or not: MaxMpx, or all credits, of all channels.
  [[nodiscard]] int slots() const { return channels_.slots(); }
  [[nodiscard]] SmbChannels& channels() { return channels_; }
  /// The most that one read may ask for, and one write carry, with the present credits.
  [[nodiscard]] Bytes most_read() const { return affordable(limits_.read); }
  [[nodiscard]] Bytes most_written() const { return affordable(limits_.write); }
  /// The queries of so many that may be compounded behind an open: each part costs a credit.
  [[nodiscard]] int chainable(int queries) const {
    return limits_.compounds ? std::clamp(channels_.fewest_slots() - 1, 0, queries) : 0;
  }

  /// Reports each request when it has got its slot: what, with how many bytes of payload.
  Probe<SmbOperation, Bytes> requested{"smb.request"};

private:
  void give_back_slots(SmbChannel& channel, int slots, bool answered, Bytes data);
  [[nodiscard]] Task<> take_slots(SmbChannel& channel, SmbRequest& request);
  [[nodiscard]] Bytes affordable(Bytes limit) const;
  void note_compressed(const SmbData& data);
  [[nodiscard]] Task<> work(Duration time);
  [[nodiscard]] int charge(Bytes data, SmbChain chain) const;
  // The header in front of an encrypted message; there is no key yet for the first ones.
  [[nodiscard]] Bytes envelope(SmbOperation operation) const;

  Cpu& cpu_;
  SmbServer& server_;
  Duration request_cpu_;
  SmbMessageCost cost_;
  double compressed_to_ = 1.0;
  std::unique_ptr<SmbDialect> dialect_;
  SmbLimits limits_;
  SmbChannels channels_;
  Semaphore requests_;
  Semaphore threads_;
  std::int64_t outstanding_ = 0;
  Bytes data_outstanding_;
  Bytes data_peak_;
  SmbClientCounters counters_;
};

}  // namespace copysim
