// Measures the cost of the kernel's events beside the bare queues they could at best cost.
//
// Prints CSV: workload,system,ns. The unit is CPU time of this process per event (hold), per
// customer (mm1) or per hand-off (ping-pong); "copysim-events" is the number of kernel events of
// that unit. bench/run.py runs this and simpy_bench.py in turn and compares.

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include <copysim/sim/random.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>

#include "bare_queues.hpp"

using namespace copysim;

namespace {

// Increments come from a table, so that drawing random numbers is not measured.
class Increments {
public:
  Increments(double mean_ns, const char* name) : values_(size) {
    RandomStream random{1, name, 0};
    for (auto& value : values_) {
      value = random.exponential(from_seconds(mean_ns * 1e-9)) + Duration{1};
    }
  }
  Duration next() { return values_[at_++ % size]; }

private:
  static constexpr std::size_t size = 65'536;
  std::vector<Duration> values_;
  std::size_t at_ = 0;
};

constexpr double unit_ns = 1e6;  // the mean of Exp(1)

double cpu_ns() {
  std::timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

// Time and kernel events per unit of work.
struct Ours {
  double ns;
  double events;
};

template <class Work>
double ns_per(std::int64_t count, Work work) {
  const double start = cpu_ns();
  work();
  return (cpu_ns() - start) / static_cast<double>(count);
}

template <class Work>
Ours measure_ours(const Simulation& sim, std::int64_t count, Work work) {
  const std::uint64_t before = sim.events();
  const double ns = ns_per(count, work);
  return {ns, static_cast<double>(sim.events() - before) / static_cast<double>(count)};
}

// Hold: `pending` events; each that happens schedules one at now + Exp(1).

template <class Queue>
double hold_bare(std::int64_t pending, std::int64_t events) {
  Increments increments{unit_ns, "hold"};
  Queue queue;
  for (std::int64_t i = 0; i < pending; ++i) queue.push(increments.next().count());
  const auto step = [&](std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      queue.replace_top(queue.top_time() + increments.next().count());
    }
  };
  step(events / 10);
  return ns_per(events, [&] { step(events); });
}

// Sets an event when so many events have happened.
struct Countdown {
  std::int64_t left = 0;
  Event* done = nullptr;
};

Task<> hold_process(Simulation& sim, Increments& increments, Countdown& countdown) {
  for (;;) {
    co_await sim.delay(increments.next());
    if (--countdown.left == 0) countdown.done->set();
  }
}

Task<> wait_for(Event& event) {
  co_await event.wait();
}

Ours hold_ours(std::int64_t pending, std::int64_t events) {
  Simulation sim;
  Increments increments{unit_ns, "hold"};
  Event warm{sim};
  Event done{sim};
  Countdown countdown{events / 10, &warm};
  for (std::int64_t i = 0; i < pending; ++i) {
    sim.spawn(hold_process(sim, increments, countdown), "hold");
  }
  sim.run(wait_for(warm));
  countdown = {events, &done};
  return measure_ours(sim, events, [&] { sim.run(wait_for(done)); });
}

// M/M/1 at load 0.8: a generator and one process per customer. The bare queues know only the two
// events of each customer.

template <class Queue>
double mm1_bare(std::int64_t customers) {
  Increments gaps{unit_ns / 0.8, "gaps"};
  Increments services{unit_ns, "services"};
  return ns_per(customers, [&] {
    Queue queue;  // slot 0: arrival; 1: departure
    std::int64_t waiting = 0;
    std::int64_t arrived = 0;
    bool busy = false;
    queue.push(gaps.next().count(), 0);
    while (!queue.empty()) {
      const std::int64_t now = queue.top_time();
      const bool arrival = queue.top_slot() == 0;
      bool replaced = false;
      const auto schedule = [&](std::int64_t at, std::uint32_t slot) {
        if (replaced) {
          queue.push(at, slot);
        } else {
          queue.replace_top(at, slot);
          replaced = true;
        }
      };
      if (arrival) {
        if (++arrived < customers) schedule(now + gaps.next().count(), 0);
        if (busy) {
          ++waiting;
        } else {
          busy = true;
          schedule(now + services.next().count(), 1);
        }
      } else if (waiting > 0) {
        --waiting;
        schedule(now + services.next().count(), 1);
      } else {
        busy = false;
      }
      if (!replaced) queue.pop();
    }
  });
}

Task<> customer(Simulation& sim, Semaphore& server, Duration service) {
  auto permit = co_await server.scoped();
  co_await sim.delay(service);
}

Task<> arrivals(Simulation& sim, Semaphore& server, std::int64_t customers) {
  Increments gaps{unit_ns / 0.8, "gaps"};
  Increments services{unit_ns, "services"};
  for (std::int64_t i = 0; i < customers; ++i) {
    co_await sim.delay(gaps.next());
    sim.spawn(customer(sim, server, services.next()), "customer");
  }
}

Ours mm1_ours(std::int64_t customers) {
  Simulation sim;
  Semaphore server{sim, 1};
  sim.run(arrivals(sim, server, customers / 10));
  return measure_ours(sim, customers, [&] { sim.run(arrivals(sim, server, customers)); });
}

// Ping-pong: two processes take turns through two semaphores, with a delay of 1 ms per turn.

template <class Queue>
double ping_pong_bare(std::int64_t turns) {
  Queue queue;
  queue.push(0);
  return ns_per(turns, [&] {
    for (std::int64_t i = 0; i < turns; ++i) queue.replace_top(queue.top_time() + 1'000'000);
  });
}

Task<> player(Simulation& sim, Semaphore& own, Semaphore& other, std::int64_t turns) {
  for (std::int64_t i = 0; i < turns; ++i) {
    co_await own.acquire();
    co_await sim.delay(1ms);
    other.release();
  }
}

Ours ping_pong_ours(std::int64_t turns) {
  Simulation sim;
  Semaphore ping{sim, 1};
  Semaphore pong{sim, 0};
  return measure_ours(sim, turns, [&] {
    sim.spawn(player(sim, ping, pong, turns / 2), "ping");
    sim.run(player(sim, pong, ping, turns / 2));
  });
}

void print(const std::string& workload, const char* column, double value) {
  std::cout << workload << ',' << column << ',' << std::fixed << std::setprecision(2) << value
            << '\n';
}

void print_ours(const std::string& workload, const Ours& ours) {
  print(workload, "copysim", ours.ns);
  print(workload, "copysim-events", ours.events);
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::int64_t events = argc > 1 ? std::atoll(argv[1]) : 2'000'000;
  using bench::BareHeap;
  using bench::StandardQueue;

  for (const std::int64_t pending : {10, 1000}) {
    const std::string name = "hold-" + std::to_string(pending);
    print(name, "bare-heap", hold_bare<BareHeap>(pending, events));
    print(name, "priority-queue", hold_bare<StandardQueue>(pending, events));
    print_ours(name, hold_ours(pending, events));
  }
  print("mm1", "bare-heap", mm1_bare<BareHeap>(events));
  print("mm1", "priority-queue", mm1_bare<StandardQueue>(events));
  print_ours("mm1", mm1_ours(events));
  print("ping-pong", "bare-heap", ping_pong_bare<BareHeap>(events));
  print("ping-pong", "priority-queue", ping_pong_bare<StandardQueue>(events));
  print_ours("ping-pong", ping_pong_ours(events));
}
