// What the two levels of detail of a link cost, on the traffic of a large copy: prints
// `workload,level,ns per message` and the ratio; with --check it fails below a ratio of 10.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/link/link.hpp>
#include <copysim/sim/task_group.hpp>

using namespace copysim;

namespace {

constexpr int streams = 8;
constexpr double least_ratio = 10;

// One stream of a copy engine over SMB1: a request, an answer of 60 KiB, and again.
Task<> requests(Transport& transport, int count) {
  for (int i = 0; i < count; ++i) {
    co_await transport.deliver(Toward::server, 63_B);
    co_await transport.deliver(Toward::client, 61504_B);
  }
}

Task<> bulk(Simulation& sim, Transport& transport, int count) {
  TaskGroup group{sim};
  for (int i = 0; i < streams; ++i) group.spawn(requests(transport, count));
  co_await group.join();
}

// Nanoseconds of this machine per message of the simulated link.
double cost(LinkDetail detail, Duration rtt, int count) {
  Simulation sim;
  SharedCpu client{sim, "client", {}};
  SharedCpu server{sim, "server", {}};
  const auto link = make_link(sim, {.detail = detail, .rtt = rtt});
  const auto transport = link->open({&client, {}, {}}, {&server, {}, {}});
  const auto start = std::chrono::steady_clock::now();
  sim.run(bulk(sim, *transport, count));
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return took.count() / (2.0 * streams * count);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view{argv[1]} == "--check";
  struct Workload {
    const char* name;
    Duration rtt;
  };
  bool holds = true;
  for (const Workload& workload : std::array<Workload, 2>{{{"lan", 200us}, {"wan", 50ms}}}) {
    std::vector<double> bursts;
    std::vector<double> packets;
    for (int round = 0; round < 5; ++round) {
      bursts.push_back(cost(LinkDetail::burst, workload.rtt, 2000));
      packets.push_back(cost(LinkDetail::packet, workload.rtt, 500));
    }
    const double ratio = median(packets) / median(bursts);
    std::printf("%s,burst,%.0f\n%s,packet,%.0f\n%s,ratio,%.1f\n", workload.name, median(bursts),
                workload.name, median(packets), workload.name, ratio);
    holds = holds && ratio >= least_ratio;
  }
  return check && !holds ? EXIT_FAILURE : EXIT_SUCCESS;
}
