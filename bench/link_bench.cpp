// What the two levels of detail of a link cost: the messages of each scenario over a network, as
// its copy sends them, are played back on its link alone, at both levels. Prints `scenario,level,ns
// per message`, the ratio, frames per message, and what the whole copies cost, `run-burst` and
// `run-packet`, in ns per message as well; at the end the same for the sums over all scenarios, as
// `all`. With --check it fails where bursts cost more than a tenth of packets over the whole
// catalogue. For a single scenario the bound is the frames of a message if they are fewer than ten:
// bursts compute each message, packets each frame, so there is less to save.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/measure.hpp>
#include <copysim/lib/scenario.hpp>
#include <copysim/lib/testbed.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/link/frames.hpp>
#include <copysim/models/link/link.hpp>
#include <copysim/models/link/logged_transport.hpp>
#include <copysim/models/shell/explorer.hpp>

using namespace copysim;

namespace {

constexpr double least_ratio = 10;
constexpr int rounds = 3;
constexpr std::size_t most_messages = 40000;  // of a scenario; its copy repeats the same all along

// Nanoseconds of a processor that the calling program has used so far.
double used() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC * 1e9;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

ResolvedScenario resolve(const std::string& id, LinkDetail detail) {
  const std::vector<std::string> level{"link.detail=" + std::string{to_string(detail)}};
  return load_scenario(id).with(level).resolve();
}

// Runs a whole copy; returns what it took.
double copy(const ResolvedScenario& scenario, MessageLog* log) {
  const double start = used();
  Testbed testbed{scenario.config, 0, {.messages = log}};
  Explorer shell{testbed.simulation(), testbed.client_cpu(), scenario.config.client.system.shell};
  const RunResult result = measure(testbed.simulation(), testbed.source(), testbed.target(),
                                   *scenario.policy, shell, nullptr, testbed.files());
  if (result.status != IoStatus::ok) std::abort();
  return used() - start;
}

// What the link takes for the first `count` messages, over and over until the clock can tell.
double play(const ScenarioConfig& config, const MessageLog& log, std::size_t count) {
  double sum = 0;
  for (std::size_t done = 0; done < most_messages; done += count) {
    Simulation sim;
    SharedCpu client{sim, "client", config.client.machine.cpu};
    SharedCpu server{sim, "server", config.server->machine.cpu};
    const auto link = make_link(sim, config.link);
    const auto transport =
        link->open({&client, config.client.system.tcp, config.client.machine.network},
                   {&server, config.server->system.tcp, config.server->machine.network});
    const double start = used();
    sim.run(play_back(sim, *transport, log, count));
    sum += used() - start;
    sim.close();
  }
  const auto times = static_cast<double>(pieces(Bytes{most_messages}, Bytes(count)));
  return sum / times / static_cast<double>(count);
}

double frames_per_message(const MessageLog& log) {
  std::int64_t frames = 0;
  for (const MessageLog::Message& message : log.messages) frames += Framing::frames(message.size);
  return static_cast<double>(frames) / static_cast<double>(log.messages.size());
}

// What a message costs on the link alone.
struct Cost {
  double burst = 0;
  double packet = 0;
};

// Adds what a scenario costs to `sum`; returns whether its bound holds.
bool compare(const std::string& id, Cost& sum) {
  const ResolvedScenario bursts = resolve(id, LinkDetail::burst);
  const ResolvedScenario packets = resolve(id, LinkDetail::packet);
  MessageLog log;
  copy(bursts, &log);
  const std::size_t count = std::min(most_messages, log.messages.size());
  std::vector<double> burst;
  std::vector<double> packet;
  std::vector<double> burst_run;
  std::vector<double> packet_run;
  for (int round = 0; round < rounds; ++round) {
    burst.push_back(play(bursts.config, log, count));
    packet.push_back(play(packets.config, log, count));
    const auto messages = static_cast<double>(log.messages.size());
    burst_run.push_back(copy(bursts, nullptr) / messages);
    packet_run.push_back(copy(packets, nullptr) / messages);
  }
  const double ratio = median(packet) / median(burst);
  const double frames = frames_per_message(log);
  std::printf("%s,burst,%.0f\n%s,packet,%.0f\n%s,ratio,%.1f\n%s,frames,%.1f\n", id.c_str(),
              median(burst), id.c_str(), median(packet), id.c_str(), ratio, id.c_str(), frames);
  std::printf("%s,run-burst,%.0f\n%s,run-packet,%.0f\n", id.c_str(), median(burst_run), id.c_str(),
              median(packet_run));
  std::fflush(stdout);
  sum.burst += median(burst);
  sum.packet += median(packet);
  return ratio >= std::min(least_ratio, frames);
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view{argv[1]} == "--check";
  bool holds = true;
  Cost sum;
  for (const std::string& id : catalogue().ids("scenarios")) {
    const ScenarioConfig config = load_scenario(id).resolve().config;
    if (!config.remote() || config.file_server || config.link.kind != LinkKind::ethernet) continue;
    holds = compare(id, sum) && holds;
  }
  const double ratio = sum.packet / sum.burst;
  std::printf("all,burst,%.0f\nall,packet,%.0f\nall,ratio,%.1f\n", sum.burst, sum.packet, ratio);
  holds = holds && ratio >= least_ratio;
  return check && !holds ? EXIT_FAILURE : EXIT_SUCCESS;
}
