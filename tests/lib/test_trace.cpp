#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/run.hpp>
#include <copysim/lib/trace.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

ResolvedScenario copy_of(const std::string& policy, const std::string& size) {
  return load_scenario("apc/vista-to-xp")
      .with(std::vector{"policy.id=" + policy, "workloads.single.size=" + size})
      .resolve();
}

std::string printed(const Trace& trace, TraceKind kind) {
  std::ostringstream out;
  write_trace(out, trace, kind);
  return out.str();
}

Bytes moved(const Trace& trace, const std::string& where, const std::string& operation) {
  Bytes sum;
  for (const TraceEvent& event : trace.events) {
    if (event.where == where && event.operation == operation) sum += event.extent.length;
  }
  return sum;
}

}  // namespace

TEST_CASE("A trace holds each byte that the program read and wrote, and changes no result",
          "[trace]") {
  for (const char* policy : {"xp", "vista-rtm", "vista-sp1"}) {
    INFO(policy);
    const ResolvedScenario scenario = copy_of(policy, "24 MiB");

    const Trace trace = record_trace(scenario);

    CHECK(moved(trace, "source", "read") == Bytes{24} * 1024 * 1024);
    CHECK(moved(trace, "target", "write") == Bytes{24} * 1024 * 1024);
    const RunResult plain = run(scenario);
    CHECK(trace.result.elapsed == plain.elapsed);
    CHECK(trace.result.durable == plain.durable);
    CHECK(trace.result.counters == plain.counters);
  }
}

TEST_CASE("Vista RTM's trace shows reads of 2 MiB, eight of them at once", "[trace]") {
  // Article 000: above 8 MiB eight operations of 2 MiB each; 32 MiB are two batches of eight.
  const Trace trace = record_trace(copy_of("vista-rtm", "32 MiB"));

  std::map<Duration, int> change;
  int reads = 0;
  for (const TraceEvent& event : trace.events) {
    if (event.where != "source" || event.operation != "read") continue;
    CHECK(event.extent.length == Bytes{2} * 1024 * 1024);
    ++reads;
    ++change[event.begin];
    --change[event.begin + event.took];
  }
  CHECK(reads == 16);
  int under_way = 0;
  int most = 0;
  for (const auto& [time, by] : change) most = std::max(most, under_way += by);
  CHECK(most == 8);
}

TEST_CASE("The device commands of a trace are those that the counters count", "[trace]") {
  const Trace trace = record_trace(copy_of("vista-sp1", "16 MiB"));

  const auto counted = [&](const std::string& name) {
    const auto& counters = trace.result.counters;
    return std::ranges::find(counters, name, &Counters::value_type::first)->second;
  };
  CHECK(static_cast<double>(moved(trace, "server.disk.system", "read").count()) ==
        counted("server.disk.system.read_bytes"));
  CHECK(static_cast<double>(moved(trace, "client.disk.system", "write").count()) ==
        counted("client.disk.system.written_bytes"));
}

TEST_CASE("The timeline of a copy only grows, and ends with all that was moved", "[trace]") {
  const Trace trace = record_trace(copy_of("vista-sp1", "64 MiB"));

  const std::vector<TimelinePoint> points = timeline(trace);

  REQUIRE_FALSE(points.empty());
  for (std::size_t i = 1; i < points.size(); ++i) {
    CHECK(points[i].time >= points[i - 1].time);
    CHECK(points[i].written >= points[i - 1].written);
    CHECK(points[i].device_written >= points[i - 1].device_written);
    // A cached write is dirty until a device took it.
    CHECK(points[i].dirty <= points[i].written + points[i].read);
  }
  CHECK(points.back().written == Bytes{64} * 1024 * 1024);
  CHECK(points.back().device_written >= Bytes{64} * 1024 * 1024);
  CHECK(std::ranges::any_of(points, [](const TimelinePoint& p) { return p.dirty > 0_B; }));
}

TEST_CASE("A trace prints as JSON for trace viewers and as CSV", "[trace]") {
  const Trace trace = record_trace(copy_of("xp", "1 MiB"));
  const auto of_layer = [&](TraceEvent::Layer layer) {
    return static_cast<std::size_t>(std::ranges::count(trace.events, layer, &TraceEvent::layer));
  };
  const auto lines = [](const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  };

  const auto json = boost::json::parse(printed(trace, TraceKind::chrome)).as_object();
  std::int64_t open = 0;
  std::size_t begun = 0;
  for (const auto& event : json.at("traceEvents").as_array()) {
    const auto phase = event.at("ph").as_string();
    if (phase == "b") ++begun;
    open += phase == "b" ? 1 : phase == "e" ? -1 : 0;
  }
  CHECK(begun == trace.events.size());
  CHECK(open == 0);
  // Each CSV has a line of names.
  CHECK(lines(printed(trace, TraceKind::files)) == 1 + of_layer(TraceEvent::Layer::program));
  CHECK(lines(printed(trace, TraceKind::blocks)) == 1 + of_layer(TraceEvent::Layer::device));
  CHECK(lines(printed(trace, TraceKind::timeline)) == 1 + timeline(trace).size());
}
