#include <copysim/sim/random.hpp>

#include <array>
#include <cmath>
#include <string>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/seed_seq.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include <copysim/error.hpp>

namespace copysim {

namespace {

// 64-bit FNV-1a; offset basis and prime from Fowler, Noll, Vo (draft-eastlake-fnv).
std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

constexpr std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
constexpr std::uint32_t high(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view component,
                           std::uint64_t replication) {
  const std::uint64_t name = fnv1a(component);
  const std::array<std::uint32_t, 6> words{low(seed),  high(seed),       low(name),
                                           high(name), low(replication), high(replication)};
  boost::random::seed_seq sequence(words.begin(), words.end());
  generator_.seed(sequence);
}

double RandomStream::uniform() {
  return boost::random::uniform_01<double>{}(generator_);
}

std::uint64_t RandomStream::below(std::uint64_t n) {
  if (n == 0) throw SimulationError{"there is no number below 0"};
  return boost::random::uniform_int_distribution<std::uint64_t>{0, n - 1}(generator_);
}

Duration RandomStream::uniform(Duration low, Duration high) {
  if (high < low) {
    throw SimulationError{"uniform: the upper bound is below the lower one, " +
                          std::to_string(high.count()) + " ns < " + std::to_string(low.count()) +
                          " ns"};
  }
  boost::random::uniform_int_distribution<std::int64_t> distribution{low.count(), high.count()};
  return Duration{distribution(generator_)};
}

Duration RandomStream::exponential(Duration mean) {
  if (mean.count() < 0) {
    throw SimulationError{"exponential: the mean must not be negative, got " +
                          std::to_string(mean.count()) + " ns"};
  }
  const double unit = boost::random::exponential_distribution<double>{1.0}(generator_);
  return Duration{std::llround(unit * static_cast<double>(mean.count()))};
}

double RandomStream::normal(double mean, double deviation) {
  if (!(deviation >= 0)) {
    throw SimulationError{"normal: the deviation must not be negative, got " +
                          std::to_string(deviation)};
  }
  return mean + deviation * boost::random::normal_distribution<double>{0.0, 1.0}(generator_);
}

double RandomStream::lognormal(double mu, double sigma) {
  return std::exp(normal(mu, sigma));
}

}  // namespace copysim
