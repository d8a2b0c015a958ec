#include <array>

#include <copysim/models/server/operation_mix.hpp>

#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("The enterprise disk mix sums to one and reads three of four data operations",
          "[server]") {
  double sum = 0;
  double reads = 0;
  double writes = 0;
  for (const MixEntry& entry : enterprise_disk_mix()) {
    sum += entry.share;
    if (entry.operation == ServerOperation::read) reads += entry.share;
    if (entry.operation == ServerOperation::write) writes += entry.share;
  }

  // Shares as published, rounded to hundredths of a percent.
  CHECK(sum == Approx(100).margin(0.1));
  CHECK(reads / (reads + writes) == Approx(0.76).margin(0.005));
  // 15.2 KB per data operation and 5.4 KB per operation.
  CHECK(15.2 * (reads + writes) / sum == Approx(5.4).margin(0.05));
}

TEST_CASE("MixSampler draws each operation as often as its share says", "[server]") {
  const MixSampler mix;
  RandomStream random{1, "mix", 0};
  int reads = 0;
  for (int i = 0; i < 100'000; ++i) {
    if (mix.draw(random).operation == ServerOperation::read) ++reads;
  }
  // 27,100 with a standard deviation of sqrt(1e5 x 0.271 x 0.729) = 141.
  CHECK(reads == Approx(27'100).margin(3 * 141));
}
