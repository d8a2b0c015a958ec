#include <copysim/error.hpp>
#include <copysim/lib/disksim/trace_file.hpp>

#include "lib/disksim/temporary_folder.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

std::string error_of(const std::string& text) {
  const TemporaryFolder folder;
  try {
    static_cast<void>(disksim::read_trace(folder.write("a.trace", text)));
  } catch (const ConfigError& error) {
    return std::string{error.what()}.substr(folder.path("").size());
  }
  return "no error";
}

}  // namespace

TEST_CASE("A validate trace has measured times and gaps in us", "[lib][disksim]") {
  const TemporaryFolder folder;
  const disksim::Trace trace = disksim::read_trace(
      folder.write("a.trace", "R Hit    2992396   4  13670.500  35942\nW Doub 7 15 1 2.0\n\n"));
  CHECK(trace.kind == disksim::TraceKind::validate);
  REQUIRE(trace.requests.size() == 2);
  CHECK(trace.requests[0].access == Access::read);
  CHECK(trace.requests[0].sectors.begin == 2992396);
  CHECK(trace.requests[0].sectors.end == 2992400);
  CHECK(trace.requests[0].measured == 13'670'500ns);
  CHECK(trace.requests[0].gap == 35'942us);
  CHECK(trace.requests[1].access == Access::write);
}

TEST_CASE("An ascii trace has arrival times in ms and reads by bit 0 of the flags",
          "[lib][disksim]") {
  const TemporaryFolder folder;
  const disksim::Trace trace =
      disksim::read_trace(folder.write("a.trace", "0.5 0 100 8 1\n2.25 0 50 4 0\n"));
  CHECK(trace.kind == disksim::TraceKind::ascii);
  CHECK(trace.requests[0].access == Access::read);
  CHECK(trace.requests[1].access == Access::write);
  CHECK(trace.requests[1].arrival == SimTime{2250us});
}

TEST_CASE("A malformed trace is an error with file and line", "[lib][disksim]") {
  CHECK(error_of("R Hit 1 1 1 1\nX Hit 1 1 1 1\n") ==
        "a.trace:2: the access must be R or W, got 'X'");
  CHECK(error_of("R Hit 1 1 1 1\nR Hit 1 1 1\n").starts_with("a.trace:2: a line must have 6"));
  CHECK(error_of("R Hit 1 0 1 1\n").starts_with("a.trace:1: the number of blocks must be"));
  CHECK(error_of("R Hit 1 1 slow 1\n").starts_with("a.trace:1: the service time must be"));
  CHECK(error_of("1 0 1 1 1\n0 0 1 1 1\n").starts_with("a.trace:2: arrivals must not go back"));
  CHECK(error_of("1 0 1 1 1\n2 1 1 1 1\n").starts_with("a.trace:2: all requests must be for"));
  CHECK(error_of("\n") == "a.trace:1: a trace must have a request");
}
