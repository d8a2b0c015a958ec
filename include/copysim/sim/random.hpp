#pragma once

#include <cstdint>
#include <string_view>

#include <boost/random/mersenne_twister.hpp>

#include <copysim/units.hpp>

namespace copysim {

/// A stream of random numbers of one component.
///
/// The generator is the 64-bit Mersenne twister, seeded through `seed_seq` from (seed, FNV-1a hash
/// of the component's name, replication). The distributions are those of Boost.Random, which unlike
/// those of the standard library give the same numbers everywhere. Streams with different names are
/// independent, so a component that is added does not disturb the others, and two policies can be
/// compared on the same numbers. Durations are rounded to the nearest nanosecond once, at the end.
class RandomStream {
public:
  RandomStream(std::uint64_t seed, std::string_view component, std::uint64_t replication);

  /// Uniform in [0, 1).
  double uniform();
  /// Uniform in 0 .. n - 1.
  /// \throws SimulationError if `n` is 0.
  std::uint64_t below(std::uint64_t n);
  /// Uniform over the whole nanoseconds from `low` up to and including `high`.
  /// \throws SimulationError if `high` is before `low`.
  Duration uniform(Duration low, Duration high);
  /// Exponential.
  /// \throws SimulationError if `mean` is negative.
  Duration exponential(Duration mean);
  /// Normal.
  /// \throws SimulationError if `deviation` is negative or not a number.
  double normal(double mean, double deviation);
  /// The exponential of a normal variable with mean `mu` and standard deviation `sigma`.
  double lognormal(double mu, double sigma);

private:
  boost::random::mt19937_64 generator_;
};

}  // namespace copysim
