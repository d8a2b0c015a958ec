#include <string>
#include <vector>

#include <copysim/sim/probe.hpp>

#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("A probe reports to its observers in the order of attaching", "[sim][probe]") {
  Probe<int, std::string> probe{"disk.seek"};
  std::vector<std::string> seen;
  CHECK_FALSE(probe.observed());
  probe(1, "nobody listens");

  const auto first = probe.attach(
      [&](int n, const std::string& text) { seen.push_back("first " + std::to_string(n) + text); });
  probe.attach([&](int, const std::string&) { seen.emplace_back("second"); });
  probe(2, "x");
  probe.detach(first);
  probe.detach(99);
  probe(3, "y");

  CHECK(probe.name() == "disk.seek");
  CHECK(probe.observed());
  CHECK(seen == std::vector<std::string>{"first 2x", "second", "second"});
}
