#include <cmath>
#include <cstdint>

#include <copysim/error.hpp>
#include <copysim/models/server/mean_value_analysis.hpp>
#include <copysim/sim/resource.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/statistics.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

// A customer of a closed network of two first come first served stations and a delay.
Task<> circulate(Simulation& sim, PriorityResource& a, PriorityResource& b, Duration warm_up,
                 std::int64_t& passes, int number) {
  RandomStream random = sim.random("customer" + std::to_string(number));
  while (true) {
    {
      auto held = co_await a.acquire();
      co_await sim.delay(random.exponential(2ms));
    }
    {
      auto held = co_await b.acquire();
      co_await sim.delay(random.exponential(3ms));
    }
    co_await sim.delay(random.exponential(5ms));
    if (sim.now() >= SimTime{warm_up}) ++passes;
  }
}

Tally simulate(int customers) {
  Tally throughput;
  for (std::uint64_t replication = 0; replication < 20; ++replication) {
    Simulation sim{{.seed = 1, .replication = replication}};
    PriorityResource a{sim};
    PriorityResource b{sim};
    std::int64_t passes = 0;
    for (int i = 0; i < customers; ++i) {
      sim.spawn(circulate(sim, a, b, 1s, passes, i), "customer");
    }
    sim.run_until(SimTime{11s});
    throughput.add(static_cast<double>(passes) / 10);
    sim.close();
  }
  return throughput;
}

}  // namespace

TEST_CASE("mean_value_analysis of one customer has no waiting", "[server][closed-form]") {
  const NetworkMeans means = mean_value_analysis({{"a", 2ms}, {"b", 3ms}, {"think", 5ms, 0}}, 1);

  CHECK(means.response_s == Approx(0.010));
  CHECK(means.throughput == Approx(100));
  CHECK(means.utilisation[1] == Approx(0.3));
}

TEST_CASE("mean_value_analysis of two equal stations is N / ((N + 1) D)", "[server][closed-form]") {
  // Balanced network of K = 2 stations: X(N) = N / ((N + K - 1) D).
  for (const int n : {1, 2, 5, 50}) {
    const NetworkMeans means = mean_value_analysis({{"a", 1ms}, {"b", 1ms}}, n);
    CHECK(means.throughput == Approx(n / ((n + 1) * 0.001)));
  }
}

TEST_CASE("mean_value_analysis of many customers is bound by the busiest station",
          "[server][closed-form]") {
  const NetworkMeans means = mean_value_analysis({{"a", 2ms}, {"b", 3ms, 2}}, 500);

  CHECK(means.throughput == Approx(500).epsilon(0.001));  // 1 / 2 ms; b could do 667
  CHECK(means.utilisation[0] == Approx(1).epsilon(0.001));
}

TEST_CASE("The kernel simulates a closed network as mean value analysis computes it",
          "[server][closed-form]") {
  for (const int customers : {1, 3, 10}) {
    const Tally simulated = simulate(customers);
    const NetworkMeans means =
        mean_value_analysis({{"a", 2ms}, {"b", 3ms}, {"think", 5ms, 0}}, customers);
    const double error =
        simulated.standard_deviation() / std::sqrt(static_cast<double>(simulated.count()));
    INFO(customers << " customers: " << simulated.mean() << " +- " << error);
    CHECK(std::abs(simulated.mean() - means.throughput) < 3 * error);
  }
}

TEST_CASE("mean_value_analysis of groups keeps what each has for itself apart",
          "[server][closed-form]") {
  // Nothing is shared: three times one group. X(2) of one station and a delay of the same D:
  // R(1) = D + D, Q(1) = 1/2; R(2) = 3/2 D + D, X(2) = 2 / (5/2 D) = 0.8 / D.
  const NetworkMeans apart = mean_value_analysis({{"own", 1ms, 1, true}, {"think", 1ms, 0}}, 2, 3);
  CHECK(apart.throughput == Approx(3 * 800));
  // One customer in each group and one shared station: all wait for each other, X = 1 / D.
  CHECK(mean_value_analysis({{"shared", 1ms}}, 1, 7).throughput == Approx(1000));
}

TEST_CASE("mean_value_analysis refuses a network without customers", "[server]") {
  CHECK_THROWS_AS(mean_value_analysis({{"a", 1ms}}, 0), ConfigError);
  CHECK_THROWS_AS(mean_value_analysis({{"a", -1ms}}, 1), ConfigError);
  CHECK_THROWS_AS(mean_value_analysis({{"a", 1ms, -1}}, 1), ConfigError);
}
