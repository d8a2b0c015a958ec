#pragma once

#include <cstddef>
#include <vector>

#include <copysim/models/link/transport.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What a connection was given to carry.
struct MessageLog {
  struct Message {
    SimTime at;
    Toward toward = Toward::server;
    Bytes size;
  };
  std::vector<Message> messages;  ///< in the order of their times
  int most_at_once = 0;           ///< messages under way at one time
};

/// A transport that passes everything on to another one and keeps what it was given: the log of
/// a copy, to be played back on a link alone.
class LoggedTransport final : public Transport {
public:
  /// All arguments outlive it.
  LoggedTransport(const Simulation& simulation, Transport& transport, MessageLog& log)
      : simulation_{simulation}, transport_{transport}, log_{log} {}

  [[nodiscard]] Task<IoStatus> connect() override { return transport_.connect(); }
  [[nodiscard]] Task<IoStatus> deliver(Toward toward, Bytes message) override;
  void disconnect() override { transport_.disconnect(); }
  [[nodiscard]] bool may_fail() const override { return transport_.may_fail(); }
  [[nodiscard]] const TransportCounters& counters() const override { return transport_.counters(); }

private:
  const Simulation& simulation_;
  Transport& transport_;
  MessageLog& log_;
  int under_way_ = 0;
};

/// Gives a transport the first `count` messages again, each at its time, or as soon as fewer than
/// `most_at_once` are under way. All arguments outlive it.
[[nodiscard]] Task<> play_back(Simulation& simulation, Transport& transport, const MessageLog& log,
                               std::size_t count);

}  // namespace copysim
