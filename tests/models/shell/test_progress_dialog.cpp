#include <vector>

#include <copysim/models/shell/progress_dialog.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

Task<> copy_evenly(Simulation& sim, ProgressDialog& dialog, int megabytes) {
  for (int i = 0; i < megabytes; ++i) {
    co_await sim.delay(1s);
    dialog.advanced(1_MiB);
  }
  dialog.close();
}

}  // namespace

TEST_CASE("ProgressDialog shows its first estimate at the first delay", "[shell]") {
  Simulation sim;
  ProgressDialog dialog{sim, {.first_delay = 12s}, sim.now(), 20_MiB};
  std::vector<std::pair<Duration, Duration>> shown;
  dialog.estimated.attach([&](Duration since, Duration left) { shown.emplace_back(since, left); });

  sim.run(copy_evenly(sim, dialog, 20));

  CHECK(dialog.first_estimate() == std::optional<Duration>{12s});
  // The piece of the instant 12 s is in: 12 MiB in 12 s, 8 MiB left.
  REQUIRE(shown.size() == 9);  // 12 s to 20 s, each second
  CHECK(shown.front().first == 12s);
  CHECK(shown.front().second == 8s);
  CHECK(shown.back().first == 20s);
  CHECK(shown.back().second == 0s);  // closed with nothing left
}

TEST_CASE("ProgressDialog that closes before the first delay has shown nothing", "[shell]") {
  Simulation sim;
  ProgressDialog dialog{sim, {.first_delay = 12s}, sim.now(), 11_MiB};
  sim.run(copy_evenly(sim, dialog, 11));
  CHECK_FALSE(dialog.first_estimate().has_value());
}
