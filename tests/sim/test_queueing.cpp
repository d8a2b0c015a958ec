#include <cmath>
#include <functional>

#include <copysim/sim/resource.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/statistics.hpp>

#include "support/catch.hpp"

// Single-server queues against their closed forms. Arrivals are Poisson with rate 0.8 per ms, the
// mean service is 1 ms, so the load is rho = 0.8. Each of 20 replications gives one independent
// mean; the mean of these must be within three of its standard errors of the formula.

using namespace copysim;

namespace {

using Service = std::function<Duration(RandomStream&)>;

constexpr Duration mean_interarrival = 1250us;
constexpr int warm_up = 2'000;
constexpr int customers = 20'000;
constexpr int replications = 20;

Task<> customer(Simulation& sim, PriorityResource& server, Duration service) {
  auto held = co_await server.acquire();
  co_await sim.delay(service);
}

Task<> arrivals(Simulation& sim, PriorityResource& server, const Service& service) {
  RandomStream gaps = sim.random("arrivals");
  RandomStream work = sim.random("service");
  for (int i = 0; i < warm_up + customers; ++i) {
    if (i == warm_up) server.restart_statistics();
    const Duration gap = gaps.exponential(mean_interarrival);
    co_await sim.delay(gap);
    sim.spawn(customer(sim, server, service(work)), "customer");
  }
}

struct Measured {
  Tally wait_ms;
  Tally utilisation;
  Tally queue;
};

Measured measure(const Service& service) {
  Measured measured;
  for (int i = 0; i < replications; ++i) {
    Simulation sim{{.seed = 1, .replication = static_cast<std::uint64_t>(i)}};
    PriorityResource server{sim};
    sim.run(arrivals(sim, server, service));
    measured.wait_ms.add(server.waits().mean() * 1e3);
    measured.utilisation.add(server.utilisation());
    measured.queue.add(server.mean_queue());
  }
  return measured;
}

void check_within_three_sigma(const Tally& means, double expected) {
  const double error = means.standard_deviation() / std::sqrt(replications);
  CAPTURE(expected, means.mean(), error);
  CHECK(std::abs(means.mean() - expected) < 3 * error);
}

}  // namespace

TEST_CASE("M/M/1 waits as long as its formula says", "[sim][queueing]") {
  const Measured measured = measure([](RandomStream& random) { return random.exponential(1ms); });

  // Wq = rho / (mu - lambda) = 0.8 / 0.2 ms; Lq = lambda Wq = 3.2.
  check_within_three_sigma(measured.wait_ms, 4.0);
  check_within_three_sigma(measured.utilisation, 0.8);
  check_within_three_sigma(measured.queue, 3.2);
}

TEST_CASE("M/D/1 waits half as long as M/M/1", "[sim][queueing]") {
  const Measured measured = measure([](RandomStream&) { return Duration{1ms}; });

  // Wq = rho / (2 mu (1 - rho)) = 0.8 / 0.4 ms.
  check_within_three_sigma(measured.wait_ms, 2.0);
  check_within_three_sigma(measured.utilisation, 0.8);
}

TEST_CASE("M/G/1 follows Pollaczek and Khinchine", "[sim][queueing]") {
  const Measured measured = measure([](RandomStream& random) { return random.uniform(0ms, 2ms); });

  // Wq = lambda E[S^2] / (2 (1 - rho)); S uniform on [0, 2] ms has E[S^2] = 4/3 ms^2:
  // 0.8 (4/3) / 0.4 = 8/3 ms.
  check_within_three_sigma(measured.wait_ms, 8.0 / 3);
}

TEST_CASE("The same seed gives the same bits", "[sim][queueing]") {
  const auto once = [] {
    const Measured m = measure([](RandomStream& random) { return random.exponential(1ms); });
    return std::tuple{m.wait_ms.mean(), m.utilisation.mean(), m.queue.mean()};
  };

  CHECK(once() == once());
}
