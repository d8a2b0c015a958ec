// Copies a folder of 256 MB within one disk with three engines. XP and SP1 are done for the user
// when the last write is in the cache, Vista RTM when it is on the disk.

#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include <copysim/copysim.hpp>

int main() {
  const copysim::Scenario scenario = copysim::load_scenario("cw/local-folder");
  for (const std::string engine : {"xp", "vista-rtm", "vista-sp1"}) {
    const std::vector settings{"policy=" + engine};
    const copysim::RunSummary summary = copysim::replicate(scenario.with(settings));
    std::cout << engine << ": " << std::lround(summary.elapsed_s().mean) << " s, on the disk after "
              << std::lround(summary.durable_s().mean) << " s\n";
  }
}
