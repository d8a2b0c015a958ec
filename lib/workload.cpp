#include <copysim/lib/workload.hpp>

#include <cmath>
#include <cstddef>

#include <copysim/sim/random.hpp>

namespace copysim {

std::string_view to_string(SizeDistribution distribution) {
  return distribution == SizeDistribution::equal ? "equal" : "lognormal";
}

std::vector<WorkloadFile> workload_files(const WorkloadConfig& config) {
  const auto count = static_cast<std::size_t>(config.files);
  std::vector<double> sums(count);
  RandomStream sizes{static_cast<std::uint64_t>(config.seed), "workload", 0};
  double sum = 0;
  for (double& up_to_here : sums) {
    const bool equal = config.distribution == SizeDistribution::equal;
    sum += equal ? 1.0 : sizes.lognormal(0.0, config.sigma);
    up_to_here = sum;
  }

  const std::size_t digits = std::to_string(count).size();
  std::vector<WorkloadFile> files;
  files.reserve(count);
  Bytes begin{};
  for (std::size_t i = 0; i < count; ++i) {
    const double share = sums[i] / sum;
    // The last share is 1, but the product may round: the end is the total by definition.
    const Bytes end = i + 1 == count
                          ? config.size
                          : Bytes{std::llround(share * static_cast<double>(config.size.count()))};
    const std::string number = std::to_string(i + 1);
    files.push_back({"file-" + std::string(digits - number.size(), '0') + number, end - begin});
    begin = end;
  }
  return files;
}

}  // namespace copysim
