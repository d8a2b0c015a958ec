#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/statistics.hpp>

#include "support/catch.hpp"

// A core with preemptive-resume priorities against the closed form of M/G/1 (Kleinrock, Queueing
// Systems II, 3.4): with s(k) the load of class k and all above it,
//   T(k) = E[S]/(1 - s(k-1)) + sum over i <= k of l(i) E[S(i)^2] / (2 (1 - s(k-1)) (1 - s(k))).
// Poisson arrivals of 0.2, 0.25 and 0.3 per ms. The services: exponential of mean 1 ms
// (E[S^2] = 2), constant 1 ms (E[S^2] = 1), uniform in 0 .. 2 ms (E[S] = 1, E[S^2] = 4/3).
//   s = 0.2, 0.45, 0.75
//   T(1) = 1 + 0.4/(2 x 0.8) = 1.25
//   T(2) = 1/0.8 + 0.65/(2 x 0.8 x 0.55) = 1.25 + 0.738636 = 1.988636
//   T(3) = 1/0.55 + 1.05/(2 x 0.55 x 0.25) = 1.818182 + 3.818182 = 5.636364
// Each of 20 replications gives one mean; the mean of these is within 3 of its standard errors.

using namespace copysim;

namespace {

constexpr std::array<double, 3> expected_ms{1.25, 1.988636, 5.636364};
constexpr std::array<Duration, 3> gaps{5ms, 4ms, 3'333'333ns};
constexpr int customers = 15'000;
constexpr int warm_up = 1'500;

// Executes the work of one customer of class `k`.
using Serve = Task<> (*)(SharedCpu& cpu, std::size_t k, Duration work);

Task<> as_threads(SharedCpu& cpu, std::size_t k, Duration work) {
  CpuThread thread{cpu, {.name = "customer", .priority = 10 - static_cast<int>(k)}};
  co_await thread.run(work);
}

Task<> as_levels(SharedCpu& cpu, std::size_t k, Duration work) {
  if (k == 0) {
    co_await cpu.run_on(0, CpuLevel::interrupt, work, CpuWork::network);
  } else if (k == 1) {
    co_await cpu.run_on(0, CpuLevel::deferred_call, work, CpuWork::network);
  } else {
    co_await cpu.run(work, CpuWork::thread);
  }
}

Task<> customer(Simulation& sim, SharedCpu& cpu, Serve serve, std::size_t k, Duration work,
                Tally* times) {
  const SimTime came = sim.now();
  co_await serve(cpu, k, work);
  if (times != nullptr) times->add(sim.now() - came);
}

Task<> arrivals(Simulation& sim, SharedCpu& cpu, Serve serve, std::size_t k, Tally& times) {
  RandomStream gap_stream = sim.random("gaps" + std::to_string(k));
  RandomStream work_stream = sim.random("work" + std::to_string(k));
  for (int i = 0;; ++i) {
    const Duration gap = gap_stream.exponential(gaps[k]);
    co_await sim.delay(gap);
    const Duration work = k == 0   ? work_stream.exponential(1ms)
                          : k == 1 ? Duration{1ms}
                                   : work_stream.uniform(0ms, 2ms);
    sim.spawn(customer(sim, cpu, serve, k, work, i < warm_up ? nullptr : &times), "customer");
  }
}

void check_closed_form(Serve serve) {
  std::array<Tally, 3> means;
  for (std::uint64_t i = 0; i < 20; ++i) {
    Simulation sim{{.seed = 1, .replication = i}};
    // A quantum longer than any busy period: within a class first come first served.
    SharedCpu cpu{sim, "server", {.cores = 1}, {.quantum = 1h}};
    std::array<Tally, 3> times;
    for (std::size_t k = 0; k < 3; ++k) sim.spawn(arrivals(sim, cpu, serve, k, times[k]), "class");
    sim.run_until(SimTime{customers * gaps[0]});
    for (std::size_t k = 0; k < 3; ++k) means[k].add(times[k].mean() * 1e3);
    sim.close();
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const double error =
        means[k].standard_deviation() / std::sqrt(static_cast<double>(means[k].count()));
    INFO("class " << k << ": " << means[k].mean() << " +- " << error);
    CHECK(std::abs(means[k].mean() - expected_ms[k]) < 3 * error);
  }
}

}  // namespace

TEST_CASE("SharedCpu follows preemptive-priority M/G/1 between threads of three priorities",
          "[cpu][closed-form]") {
  check_closed_form(as_threads);
}

TEST_CASE("SharedCpu follows preemptive-priority M/G/1 between interrupts, calls and threads",
          "[cpu][closed-form]") {
  check_closed_form(as_levels);
}
