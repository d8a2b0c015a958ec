#include <cmath>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/sim/random.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/statistics.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

// The same generator from the standard library, whose output the C++ standard fixes.
std::mt19937_64 reference(std::uint64_t seed, std::string_view name, std::uint64_t replication) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  std::vector<std::uint32_t> words;
  for (const std::uint64_t word : {seed, hash, replication}) {
    words.push_back(static_cast<std::uint32_t>(word));
    words.push_back(static_cast<std::uint32_t>(word >> 32));
  }
  std::seed_seq sequence(words.begin(), words.end());
  return std::mt19937_64{sequence};
}

template <class Draw>
Tally sample(int count, Draw draw) {
  Tally tally;
  for (int i = 0; i < count; ++i) tally.add(draw());
  return tally;
}

constexpr int draws = 100'000;

// Checks a mean against its value within three standard errors.
void check_mean(const Tally& tally, double mean, double deviation) {
  const double error = deviation / std::sqrt(static_cast<double>(tally.count()));
  CHECK(std::abs(tally.mean() - mean) < 3 * error);
}

}  // namespace

TEST_CASE("A stream is the Mersenne twister seeded from seed, name and replication",
          "[sim][random]") {
  RandomStream stream{42, "client.disk", 3};
  std::mt19937_64 expected = reference(42, "client.disk", 3);

  // uniform() is the 64-bit number over 2^64.
  for (int i = 0; i < 100; ++i) {
    CHECK(stream.uniform() == static_cast<double>(expected()) * std::ldexp(1.0, -64));
  }
}

TEST_CASE("Streams differ by seed, by name and by replication, and repeat", "[sim][random]") {
  const auto first = [](std::uint64_t seed, const char* name, std::uint64_t replication) {
    return Simulation{{.seed = seed, .replication = replication}}.random(name).uniform();
  };

  CHECK(first(1, "a", 0) == first(1, "a", 0));
  CHECK(first(1, "a", 0) != first(2, "a", 0));
  CHECK(first(1, "a", 0) != first(1, "b", 0));
  CHECK(first(1, "a", 0) != first(1, "a", 1));
}

TEST_CASE("The distributions have the mean and spread of their formulas", "[sim][random]") {
  RandomStream stream{1, "test", 0};

  // Uniform in [0, 1): mean 1/2, variance 1/12.
  const Tally uniform = sample(draws, [&] { return stream.uniform(); });
  check_mean(uniform, 0.5, std::sqrt(1.0 / 12));
  CHECK(uniform.least() >= 0);
  CHECK(uniform.greatest() < 1);

  // Exponential: standard deviation equals the mean.
  const Tally exponential = sample(draws, [&] { return seconds(stream.exponential(2s)); });
  check_mean(exponential, 2, 2);
  CHECK(exponential.least() >= 0);
  CHECK(exponential.standard_deviation() == Approx(2).epsilon(0.02));

  check_mean(sample(draws, [&] { return stream.normal(-3, 4); }), -3, 4);

  // Lognormal: mean exp(mu + sigma^2 / 2), variance (exp(sigma^2) - 1) exp(2 mu + sigma^2).
  const double variance = (std::exp(0.25) - 1) * std::exp(2 * 1.0 + 0.25);
  check_mean(sample(draws, [&] { return stream.lognormal(1, 0.5); }), std::exp(1.125),
             std::sqrt(variance));
}

TEST_CASE("Whole numbers are uniform over their range, bounds included", "[sim][random]") {
  RandomStream stream{1, "test", 0};
  std::vector<int> counts(6);
  for (int i = 0; i < 60'000; ++i) ++counts[stream.below(6)];
  // Binomial with n = 60000, p = 1/6: deviation sqrt(n p (1 - p)) = 91.3.
  for (const int count : counts) CHECK(std::abs(count - 10'000) < 4 * 91.3);

  bool low = false;
  bool high = false;
  for (int i = 0; i < 1000; ++i) {
    const Duration d = stream.uniform(-2ns, 2ns);
    REQUIRE((d >= -2ns && d <= 2ns));
    low = low || d == -2ns;
    high = high || d == 2ns;
  }
  CHECK(low);
  CHECK(high);
  CHECK(stream.uniform(5ms, 5ms) == 5ms);
  CHECK(stream.below(1) == 0);
}

TEST_CASE("Parameters that make no sense are refused", "[sim][random]") {
  RandomStream stream{1, "test", 0};

  CHECK_THROWS_AS(stream.below(0), SimulationError);
  CHECK_THROWS_AS(stream.uniform(2ms, 1ms), SimulationError);
  CHECK_THROWS_AS(stream.exponential(-1ms), SimulationError);
  CHECK_THROWS_AS(stream.normal(0, -1), SimulationError);
  CHECK_THROWS_AS(stream.normal(0, std::nan("")), SimulationError);
  CHECK(stream.exponential(0ms) == 0ms);
}
