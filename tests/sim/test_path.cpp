#include <array>
#include <numeric>
#include <string>
#include <vector>

#include <copysim/sim/channel.hpp>
#include <copysim/sim/combine.hpp>
#include <copysim/sim/path.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace copysim {
std::ostream& operator<<(std::ostream& out, const PathRow& row) {
  return out << row.component << '/' << row.activity << '/' << row.constraint << ' '
             << row.duration.count() << " ns";
}
}  // namespace copysim

namespace {

using Rows = std::vector<PathRow>;

Duration total(const Rows& rows) {
  return std::accumulate(rows.begin(), rows.end(), Duration{},
                         [](Duration sum, const PathRow& row) { return sum + row.duration; });
}

struct World {
  Simulation sim{{.record_paths = true}};
  Label cpu = sim.label("cpu", "work");
  Label seek = sim.label("disk", "seek");
  Label transfer = sim.label("disk", "transfer");
  Label wire = sim.label("link", "wire");
};

Task<> spend(World& w, Duration d, Label label) {
  co_await w.sim.delay(d, label);
}

Task<> labelled_parts(World& w) {
  const std::array<LabelledPart, 2> access{LabelledPart{w.seek, 3ms},
                                           LabelledPart{w.transfer, 2ms}};
  co_await w.sim.delay(1ms, w.cpu);
  co_await w.sim.delay(access);
  co_await w.sim.delay(4ms);
  co_await w.sim.delay(access);
}

Task<> last_of_three(World& w) {
  std::vector<Task<>> tasks;
  tasks.push_back(spend(w, 2ms, w.cpu));
  tasks.push_back(spend(w, 5ms, w.seek));
  tasks.push_back(spend(w, 5ms, w.transfer));
  co_await all_of(w.sim, std::move(tasks));
  co_await w.sim.delay(1ms, w.cpu);
}

struct Request {
  Event* done;
};

// Serves one request after the other: 3 ms of seek each.
Task<> serve(World& w, Channel<Request>& queue) {
  for (;;) {
    const Request request = co_await queue.pop();
    co_await w.sim.delay(3ms, w.seek);
    request.done->set();
  }
}

Task<> ask(World& w, Channel<Request>& queue, Duration prepare) {
  co_await w.sim.delay(prepare, w.cpu);
  Event done{w.sim};
  queue.push_now(Request{&done});
  co_await done.wait();
}

Task<> hold_credit(World& w, Semaphore& credits, Label label, Duration d) {
  auto credit = co_await credits.scoped();
  co_await w.sim.delay(d, label);
}

Task<> want_credit(World& w, Semaphore& credits) {
  co_await w.sim.delay(1ms, w.cpu);
  auto credit = co_await credits.scoped();
  co_await w.sim.delay(2ms, w.wire);
}

Task<> two_constraints(World& w, Semaphore& credits, Semaphore& queue) {
  // Holds the credit while it waits for the queue.
  auto credit = co_await credits.scoped();
  auto place = co_await queue.scoped();
  co_await w.sim.delay(1ms, w.transfer);
}

}  // namespace

TEST_CASE("A path charges delays to their labels, part by part", "[sim][path]") {
  World w;

  w.sim.run(labelled_parts(w));

  CHECK(w.sim.path() == Rows{{"", "", "", 4ms},
                             {"cpu", "work", "", 1ms},
                             {"disk", "seek", "", 6ms},
                             {"disk", "transfer", "", 4ms}});
  CHECK(total(w.sim.path()) == w.sim.now().time_since_epoch());
}

TEST_CASE("After all_of the path is that of the last child, of equals the earlier event",
          "[sim][path]") {
  World w;

  w.sim.run(last_of_three(w));

  // Seek and transfer both end at 5 ms; the last to end is the transfer, whose event is later.
  CHECK(w.sim.path() == Rows{{"cpu", "work", "", 1ms}, {"disk", "transfer", "", 5ms}});
}

TEST_CASE("A wait takes over the path of the task that ended it", "[sim][path]") {
  World w;
  Channel<Request> queue{w.sim};
  w.sim.spawn(serve(w, queue), "disk");

  w.sim.run(ask(w, queue, 2ms));

  // The disk waits for the request and takes over its 2 ms; the asker takes all back with the seek.
  CHECK(w.sim.path() == Rows{{"cpu", "work", "", 2ms}, {"disk", "seek", "", 3ms}});
}

TEST_CASE("A request that queues behind another has the other's service on its path",
          "[sim][path]") {
  World w;
  Channel<Request> queue{w.sim};
  w.sim.spawn(serve(w, queue), "disk");
  w.sim.spawn(ask(w, queue, 1ms), "other");

  w.sim.run(ask(w, queue, 2ms));

  // Other: cpu to 1 ms, served to 4 ms. Main's request is taken then, without a wait of the disk,
  // and served to 7 ms.
  CHECK(w.sim.path() == Rows{{"cpu", "work", "", 1ms}, {"disk", "seek", "", 6ms}});
  CHECK(w.sim.now().time_since_epoch() == 7ms);
}

TEST_CASE("What happened during a wait on a constraint is marked with it", "[sim][path]") {
  World w;
  Semaphore credits{w.sim, 1, w.sim.constraint("credits")};
  w.sim.spawn(hold_credit(w, credits, w.seek, 4ms), "holder");

  w.sim.run(want_credit(w, credits));

  // Main prepares to 1 ms, waits for the credit to 4 ms while its holder seeks, then sends.
  CHECK(w.sim.path() == Rows{{"cpu", "work", "", 1ms},
                             {"disk", "seek", "credits", 3ms},
                             {"link", "wire", "", 2ms}});
}

TEST_CASE("A constraint that was not waited for leaves no mark", "[sim][path]") {
  World w;
  Semaphore credits{w.sim, 2, w.sim.constraint("credits")};
  w.sim.spawn(hold_credit(w, credits, w.seek, 4ms), "holder");

  w.sim.run(want_credit(w, credits));

  CHECK(w.sim.path() == Rows{{"cpu", "work", "", 1ms}, {"link", "wire", "", 2ms}});
}

TEST_CASE("Of two constraints the one crossed nearest to the activity is marked", "[sim][path]") {
  World w;
  Semaphore credits{w.sim, 1, w.sim.constraint("credits")};
  Semaphore queue{w.sim, 1, w.sim.constraint("queue")};
  w.sim.spawn(hold_credit(w, queue, w.seek, 5ms), "in the queue");
  w.sim.spawn(two_constraints(w, credits, queue), "has the credit");

  w.sim.run(want_credit(w, credits));

  // 0 to 5 ms: the first seeks; the second waits all the time for the queue. 5 to 6 ms: the second
  // transfers. Main prepares to 1 ms and waits for the credit to 6 ms, but the seek is marked
  // already.
  CHECK(w.sim.path() == Rows{{"cpu", "work", "", 1ms},
                             {"disk", "seek", "queue", 4ms},
                             {"disk", "transfer", "credits", 1ms},
                             {"link", "wire", "", 2ms}});
}

TEST_CASE("The path of a second run covers that run only", "[sim][path]") {
  World w;
  Channel<Request> queue{w.sim};
  w.sim.spawn(serve(w, queue), "disk");
  w.sim.run(ask(w, queue, 2ms));

  w.sim.run(ask(w, queue, 10ms));

  CHECK(w.sim.path() == Rows{{"cpu", "work", "", 10ms}, {"disk", "seek", "", 3ms}});
}

TEST_CASE("A service that is in the middle of a delay when the run starts counts from there",
          "[sim][path]") {
  World w;
  Semaphore credits{w.sim, 1, w.sim.constraint("credits")};
  w.sim.spawn(hold_credit(w, credits, w.seek, 10ms), "holder");
  w.sim.run_until(SimTime{4ms});

  w.sim.run(want_credit(w, credits));

  // Main runs from 4 to 12 ms: it prepares to 5 ms and waits for the rest of the seek to 10 ms.
  CHECK(w.sim.path() == Rows{{"cpu", "work", "", 1ms},
                             {"disk", "seek", "credits", 5ms},
                             {"link", "wire", "", 2ms}});
}

TEST_CASE("An interrupted task takes over the path of the one that interrupted it", "[sim][path]") {
  World w;
  struct Local {
    static Task<> sleep(World& world, Label label) {
      try {
        co_await world.sim.delay(1h, label);
      } catch (const Interrupted&) {
        CHECK(world.sim.path() == Rows{{"link", "wire", "", 3ms}});
      }
    }
    static Task<> main(World& world) {
      TaskGroup group{world.sim};
      TaskHandle sleeper = group.spawn(sleep(world, world.cpu));
      co_await world.sim.delay(3ms, world.wire);
      sleeper.interrupt();
      co_await group.join();
    }
  };

  w.sim.run(Local::main(w));

  CHECK(w.sim.path() == Rows{{"link", "wire", "", 3ms}});
}

TEST_CASE("Without recording there is no path and the same events", "[sim][path]") {
  Simulation sim;

  struct Local {
    static Task<> wait(Simulation& world) { co_await world.delay(1ms, world.label("a", "b")); }
  };
  sim.run(Local::wait(sim));

  CHECK(sim.path().empty());
}

TEST_CASE("A path keeps few pieces however long the run is", "[sim][path]") {
  detail::Cuts cuts;
  detail::Path path;
  detail::Path waiter;
  const Label seek{{1}, {1}};
  const Label wire{{2}, {2}};
  for (int i = 0; i < 1000; ++i) {
    const SimTime waiting_since = path.end();
    cuts.add(waiting_since);
    path.append(seek, 2ns, cuts);
    path.append(wire, 1ns, cuts);
    waiter.take_over(path, Constraint{1}, waiting_since, cuts);
    cuts.remove(waiting_since);
    path.take_over(waiter, {}, {}, cuts);
  }

  REQUIRE(path.pieces().size() == 2);  // (seek, wire) x one constraint
  CHECK(path.pieces()[0].duration == 2000ns);
  CHECK(path.pieces()[1].duration == 1000ns);
}
