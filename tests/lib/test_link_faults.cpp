#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/run.hpp>

#include "lib/counter.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// SMB 1.0 with an XP machine, SMB 2.002 between two of Vista; 64 MiB are read over 20 ms.
constexpr std::string_view smb1 = "apc/vista-to-xp";
constexpr std::string_view smb2 = "apc/vista-to-vista";

RunResult copy(std::string_view scenario, std::string_view detail,
               const std::vector<std::string>& faults) {
  std::vector<std::string> settings{"link.detail=" + std::string{detail}, "run.replications=1",
                                    "link.rtt=20ms", "workloads.single.size=64 MiB"};
  settings.insert(settings.end(), faults.begin(), faults.end());
  return run(load_scenario(std::string{scenario}).with(settings).resolve());
}

}  // namespace

TEST_CASE("each client copies every byte once over a path that loses, doubles its delay or pauses",
          "[run][packet][property]") {
  const auto scenario = GENERATE(smb1, smb2);
  const auto detail = GENERATE(std::string_view{"burst"}, std::string_view{"packet"});
  const auto faults = GENERATE(
      std::vector<std::string>{"link.loss=0.002"},
      std::vector<std::string>{"link.loss=0.01", "link.loss_run=3", "link.jitter=20ms"},
      std::vector<std::string>{"link.bottleneck=50 Mbit/s", "link.queue=16 KiB",
                               "server.tcp.receive_window=64 KiB", "client.tcp.initial_window=16"},
      std::vector<std::string>{"link.down_from=2s", "link.down_for=5s"});
  INFO(scenario << ' ' << detail << ' ' << faults.front());
  const RunResult result = copy(scenario, detail, faults);
  CHECK(result.status == IoStatus::ok);
  CHECK(result.damaged.empty());
  CHECK(result.copied == 64_MiB);
  CHECK(counter(result, "link.lost_frames") > 0);
  CHECK(counter(result, "link.retransmissions") > 0);
  CHECK(counter(result, "smb.reconnects") == 0);
}

TEST_CASE("30 s without a path end a copy of SMB 1.0, and one of SMB 2 goes on with every byte",
          "[run][packet]") {
  const auto detail = GENERATE(std::string_view{"burst"}, std::string_view{"packet"});
  const std::vector<std::string> outage{"link.down_from=2s", "link.down_for=30s"};
  INFO(detail);
  // XP: TCP gives up 0.3 x 63 s after the message that the outage catches.
  const RunResult old = copy(smb1, detail, outage);
  CHECK(old.status == IoStatus::link_down);
  CHECK(seconds(old.elapsed) == Approx(2 + 18.9).margin(0.1));
  // Vista: it connects again 39.9 s after the start of the outage. The copy also loses what it had
  // in flight, and starts slowly.
  const RunResult undisturbed = copy(smb2, detail, {});
  const RunResult result = copy(smb2, detail, outage);
  CHECK(result.status == IoStatus::ok);
  CHECK(result.damaged.empty());
  CHECK(counter(result, "smb.reconnects") == 1);
  CHECK(seconds(result.elapsed - undisturbed.elapsed) > 39.9 - 0.1);
  CHECK(seconds(result.elapsed - undisturbed.elapsed) < 39.9 + 2);
}
