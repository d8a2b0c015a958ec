#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// How the sizes of the files of a workload spread around their mean.
enum class SizeDistribution : std::uint8_t { equal, lognormal };
[[nodiscard]] std::string_view to_string(SizeDistribution distribution);
[[nodiscard]] constexpr std::array<SizeDistribution, 2> all_values(SizeDistribution) {
  return {SizeDistribution::equal, SizeDistribution::lognormal};
}

/// The set of files that a scenario copies, in a few numbers: a table `[workloads.<name>]`.
struct WorkloadConfig {
  std::int64_t files = 1;
  Bytes size{};  ///< of all files together
  SizeDistribution distribution = SizeDistribution::equal;
  /// Standard deviation of the logarithm of a size. 0.3 is what `published-timings.md` assumes for
  /// a collection of music; no source tells a spread.
  double sigma = 0.3;
  /// What SMB's compression leaves of each byte of the data; 1, as of archives, photos and music:
  /// it does not get smaller. 0.48 is LZ4's with the Silesia corpus (LZ4 README r101: 2.084 to 1).
  double compressed_to = 1.0;
  std::int64_t seed = 1;  ///< of the sizes only: one list for all replications and engines

  static constexpr auto parameters = std::tuple{
      parameter("files", &WorkloadConfig::files, "number of files", between(1, 10'000'000)),
      parameter("size", &WorkloadConfig::size, "size of all files together", at_least(0_B)),
      parameter("distribution", &WorkloadConfig::distribution,
                "how the sizes spread: equal or lognormal"),
      parameter("sigma", &WorkloadConfig::sigma,
                "lognormal: standard deviation of the logarithm of the size", between(0.0, 10.0)),
      parameter("compressed_to", &WorkloadConfig::compressed_to,
                "what compression on the wire leaves of the data", between(0.001, 1.0)),
      parameter("seed", &WorkloadConfig::seed, "of the list of sizes", at_least(0)),
  };

  bool operator==(const WorkloadConfig&) const = default;
};

/// One file to copy.
struct WorkloadFile {
  std::string name;
  Bytes size;

  bool operator==(const WorkloadFile&) const = default;
};

/// Makes the list of files, the same for equal configurations on every platform.
///
/// File i gets a weight w_i (1, or exp(sigma z_i) with normal z_i) and the bytes between the
/// rounded positions total W_(i-1) / W_n and total W_i / W_n, where W are the sums of the weights:
/// the sizes add up to `size` exactly. Names sort in the order of the list.
[[nodiscard]] std::vector<WorkloadFile> workload_files(const WorkloadConfig& config);

}  // namespace copysim
