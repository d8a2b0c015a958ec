#include <string>
#include <vector>

#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/run.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

double seconds_to_copy(const std::string& size, double rtt) {
  const std::vector<std::string> settings{"run.replications=1", "workloads.stitch.files=1",
                                          "workloads.stitch.size=" + size,
                                          "link.rtt=" + std::to_string(rtt) + " s"};
  const RunResult result = run(load_scenario("wan/tk2-blu-2008").with(settings).resolve());
  CHECK(result.status == IoStatus::ok);
  return seconds(result.elapsed);
}

}  // namespace

TEST_CASE("SP1's engine moves four I/Os per round trip over SMB2, and their time on the line",
          "[run][vista-sp1]") {
  // A batch of 4 x 1 MiB over a line of 1 Gbit/s whose frames carry 1,460 of 1,538 bytes on the
  // wire (40 bytes of TCP/IP, 18 of Ethernet, 20 of preamble and gap): 4,194,304 B * 8 / 1e9
  // * 1538 / 1460 = 35.3 ms. The second GiB of a file are 256 batches without session and slow
  // start. Processors and caches may add 5 %. A window that is refilled all the time would not wait
  // for the 35.3 ms: 8 to 15 % less.
  const double rtt = GENERATE(0.2, 0.4);
  const double expected = 256 * (rtt + 0.0353);
  const double second_half = seconds_to_copy("2 GiB", rtt) - seconds_to_copy("1 GiB", rtt);
  CHECK(second_half > expected);
  CHECK(second_half < expected * 1.05);
}
