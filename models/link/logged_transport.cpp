#include <copysim/models/link/logged_transport.hpp>

#include <algorithm>
#include <cstddef>

#include <copysim/sim/task_group.hpp>

namespace copysim {

namespace {

// One of the tasks that share the messages from `next` on.
Task<> play(Simulation& simulation, Transport& transport, const MessageLog& log, std::size_t count,
            std::size_t& next) {
  while (next < count) {
    const MessageLog::Message message = log.messages[next++];
    const Duration early = message.at - simulation.now();
    if (early > Duration::zero()) {
      co_await simulation.delay(early);
    }
    co_await transport.deliver(message.toward, message.size);
  }
}

}  // namespace

Task<IoStatus> LoggedTransport::deliver(Toward toward, Bytes message) {
  log_.messages.push_back({.at = simulation_.now(), .toward = toward, .size = message});
  log_.most_at_once = std::max(log_.most_at_once, ++under_way_);
  const IoStatus status = co_await transport_.deliver(toward, message);
  --under_way_;
  co_return status;
}

Task<> play_back(Simulation& simulation, Transport& transport, const MessageLog& log,
                 std::size_t count) {
  std::size_t next = 0;
  TaskGroup group{simulation};
  for (int i = 0; i < std::max(1, log.most_at_once); ++i) {
    group.spawn(play(simulation, transport, log, std::min(count, log.messages.size()), next));
  }
  co_await group.join();
}

}  // namespace copysim
