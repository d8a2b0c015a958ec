#include <memory>
#include <string>

#include <copysim/sim/channel.hpp>

#include "support/catch.hpp"
#include "support/trace_log.hpp"

using namespace copysim;

namespace {

Task<> consume(Simulation& sim, Channel<int>& channel, Duration work, std::string name,
               TraceLog& log) {
  for (;;) {
    const int item = co_await channel.pop();
    note(sim, log, name + std::to_string(item));
    co_await sim.delay(work);
  }
}

Task<> produce(Simulation& sim, Channel<int>& channel, int count, TraceLog& log) {
  for (int i = 1; i <= count; ++i) {
    co_await channel.push(i);
    note(sim, log, "pushed " + std::to_string(i));
  }
}

Task<int> pass_pointer(Simulation& sim, Channel<std::unique_ptr<int>>& channel) {
  channel.push_now(std::make_unique<int>(5));
  co_await sim.delay(1ms);
  const auto item = co_await channel.pop();
  co_return *item;
}

}  // namespace

TEST_CASE("Items reach consumers in the order of both", "[sim][channel]") {
  Simulation sim;
  TraceLog log;
  Channel<int> channel{sim};
  sim.spawn(consume(sim, channel, 2ms, "a", log), "a");
  sim.spawn(consume(sim, channel, 2ms, "b", log), "b");
  sim.run_until(SimTime{1ms});

  for (const int item : {1, 2, 3}) channel.push_now(item);
  sim.run_until(SimTime{1s});

  CHECK(log == TraceLog{{"a1", 1ms}, {"b2", 1ms}, {"a3", 3ms}});
}

TEST_CASE("A producer waits while the channel is full", "[sim][channel]") {
  Simulation sim;
  TraceLog log;
  Channel<int> channel{sim, 1};
  sim.spawn(produce(sim, channel, 3, log), "producer");
  sim.run_until(SimTime{1ms});
  CHECK(log == TraceLog{{"pushed 1", 0ms}});
  CHECK(channel.full());

  sim.spawn(consume(sim, channel, 10ms, "got ", log), "consumer");
  sim.run_until(SimTime{1s});

  // Taking 1 makes room for 2; taking 2 at 11 ms makes room for 3.
  CHECK(log == TraceLog{{"pushed 1", 0ms},
                        {"got 1", 1ms},
                        {"pushed 2", 1ms},
                        {"got 2", 11ms},
                        {"pushed 3", 11ms},
                        {"got 3", 21ms}});
}

TEST_CASE("An item handed to a consumer that is cancelled goes to the next one", "[sim][channel]") {
  Simulation sim;
  TraceLog log;
  Channel<int> channel{sim};
  TaskHandle first = sim.spawn(consume(sim, channel, 2ms, "a", log), "a");
  sim.spawn(consume(sim, channel, 2ms, "b", log), "b");
  sim.run_until(SimTime{1ms});

  channel.push_now(1);
  first.cancel();
  channel.push_now(2);
  sim.run_until(SimTime{1s});

  CHECK(log == TraceLog{{"b1", 1ms}, {"b2", 3ms}});
}

TEST_CASE("A cancelled producer takes its item with it", "[sim][channel]") {
  Simulation sim;
  TraceLog log;
  Channel<int> channel{sim, 1};
  TaskHandle producer = sim.spawn(produce(sim, channel, 2, log), "producer");
  sim.run_until(SimTime{1ms});

  producer.cancel();
  CHECK(channel.try_pop() == 1);
  CHECK_FALSE(channel.try_pop());
}

TEST_CASE("Items can be move-only", "[sim][channel]") {
  Simulation sim;
  Channel<std::unique_ptr<int>> channel{sim};

  CHECK(sim.run(pass_pointer(sim, channel)) == 5);
}
