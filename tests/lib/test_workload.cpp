#include <algorithm>
#include <cmath>

#include <copysim/lib/workload.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

Bytes total(const std::vector<WorkloadFile>& files) {
  Bytes sum{};
  for (const WorkloadFile& file : files) sum += file.size;
  return sum;
}

WorkloadConfig music() {
  return {.files = 300, .size = 2684354560_B, .distribution = SizeDistribution::lognormal};
}

}  // namespace

TEST_CASE("A workload of one file is that file", "[workload]") {
  CHECK(workload_files({.files = 1, .size = 2684354560_B}) ==
        std::vector<WorkloadFile>{{"file-1", 2684354560_B}});
}

TEST_CASE("Files of equal size differ by at most the byte that does not divide", "[workload]") {
  const auto files = workload_files({.files = 3, .size = 100_B});

  // Ends at 33.3, 66.7 and 100, rounded to 33, 67 and 100.
  CHECK(files == std::vector<WorkloadFile>{{"file-1", 33_B}, {"file-2", 34_B}, {"file-3", 33_B}});
}

TEST_CASE("Lognormal sizes add up to the total exactly and spread as sigma says", "[workload]") {
  const auto files = workload_files(music());

  CHECK(files.size() == 300);
  CHECK(files.front().name == "file-001");
  CHECK(total(files) == 2684354560_B);
  // The logarithms of 300 sizes have a standard deviation of sigma within 3 sigma / sqrt(2 * 300):
  // 0.3 +- 0.037.
  double mean = 0;
  for (const WorkloadFile& file : files) {
    mean += std::log(static_cast<double>(file.size.count())) / 300;
  }
  double variance = 0;
  for (const WorkloadFile& file : files) {
    const double deviation = std::log(static_cast<double>(file.size.count())) - mean;
    variance += deviation * deviation / 299;
  }
  CHECK(std::sqrt(variance) == Approx(0.3).margin(0.037));
}

TEST_CASE("The list of files depends on its seed alone", "[workload]") {
  WorkloadConfig other = music();
  other.seed = 2;

  CHECK(workload_files(music()) == workload_files(music()));
  CHECK(workload_files(music()) != workload_files(other));
  CHECK(total(workload_files(other)) == 2684354560_B);
}
