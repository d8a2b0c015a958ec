#pragma once

#include <vector>

#include <copysim/models/link/transport.hpp>
#include <copysim/models/link/transport_end.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task_group.hpp>

namespace copysim::test {

/// An end without processor cost, with this receive window and this first congestion window, which
/// is large enough to do without slow start unless given.
inline TransportEnd plain_end(Bytes receive_window = Bytes{1 << 24}, int initial_window = 1 << 14) {
  TransportEnd end;
  end.tcp.receive_window = receive_window;
  end.tcp.receive_window_slow = receive_window;
  end.tcp.window_scaling = true;
  end.tcp.initial_window = initial_window;
  end.cost = NetworkCost::none();
  return end;
}

inline Task<> deliver(Simulation& sim, Transport& transport, Toward toward, Bytes message,
                      std::vector<Duration>* arrivals = nullptr) {
  co_await transport.deliver(toward, message);
  if (arrivals != nullptr) arrivals->push_back(sim.now() - SimTime{});
}

/// Hands over `count` equal messages at once and ends when all have arrived.
inline Task<> deliver_all(Simulation& sim, Transport& transport, Toward toward, Bytes message,
                          int count) {
  TaskGroup group{sim};
  for (int i = 0; i < count; ++i) group.spawn(deliver(sim, transport, toward, message));
  co_await group.join();
}

/// Sends `count` equal messages, each when the one before has arrived.
inline Task<> deliver_serially(Transport& transport, Toward toward, Bytes message, int count) {
  for (int i = 0; i < count; ++i) {
    co_await transport.deliver(toward, message);
  }
}

/// Requests and answers in turn.
inline Task<> ping_pong(Transport& transport, Bytes request, Bytes answer, int count) {
  for (int i = 0; i < count; ++i) {
    co_await transport.deliver(Toward::server, request);
    co_await transport.deliver(Toward::client, answer);
  }
}

}  // namespace copysim::test
