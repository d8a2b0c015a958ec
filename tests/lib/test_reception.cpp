#include <string>
#include <vector>

#include <copysim/lib/run.hpp>
#include <copysim/lib/scenario.hpp>

#include "lib/counter.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

RunResult reception(const std::string& scenario, const std::vector<std::string>& settings = {}) {
  return run(load_scenario(scenario).with(settings).resolve());
}

double packets(const RunResult& result) {
  return counter(result, "reception.packets_per_s");
}

}  // namespace

TEST_CASE("An offered load above the throttle passes at exactly 10,000, 8,000, 6,000 packets/s",
          "[reception]") {
  // Article 003: one, two, three adapters.
  CHECK(packets(reception("mmcss/gigabit")) == 10'000);
  CHECK(packets(reception("mmcss/gigabit", {"reception.adapters=2"})) == 8'000);
  CHECK(packets(reception("mmcss/gigabit", {"reception.adapters=3"})) == 6'000);
}

TEST_CASE("Without sound a gigabit link passes all its packets", "[reception]") {
  // 1e9 / 8 / 1538 = 81,274 a second, and one interrupt's packets more or less in 20 s.
  CHECK(packets(reception("mmcss/gigabit", {"reception.playing=false"})) ==
        Approx(81'274).margin(1));
}

TEST_CASE("A copy over TCP stays below the throttle of three adapters", "[reception]") {
  const RunResult result = reception("mmcss/laptop");

  CHECK(packets(result) < 6'000);
  // 6,000 full frames are 7.4 % of gigabit Ethernet; the article saw 6 %.
  CHECK(counter(result, "reception.link_percent") > 5);
  CHECK(counter(result, "reception.link_percent") < 7.4);
}

TEST_CASE("The throttle of one adapter leaves 100 Mbit/s alone, that of three does not",
          "[reception]") {
  const double silent = packets(reception("mmcss/fast-ethernet", {"reception.playing=false"}));

  CHECK(packets(reception("mmcss/fast-ethernet")) == Approx(silent).epsilon(0.001));
  CHECK(packets(reception("mmcss/fast-ethernet", {"reception.adapters=3"})) <= 6'000);
  CHECK(silent > 8'000);
}

TEST_CASE("The throttle leaves a download over a slow line alone", "[reception]") {
  const RunResult silent = reception("mmcss/internet", {"reception.playing=false"});
  const RunResult playing = reception("mmcss/internet");

  CHECK(playing.copied == silent.copied);
  // 16 Mbit/s carry 1,300 packets of 1,538 bytes.
  CHECK(packets(playing) == Approx(1'300).epsilon(0.01));
}

TEST_CASE("Without the throttle one core drops out, and with it the network is slow",
          "[reception]") {
  const std::vector<std::string> off{"reception.throttle.index=0", "reception.length=10s"};
  const std::vector<std::string> ten{"reception.length=10s"};

  CHECK(counter(reception("mmcss/one-core", off), "player.drop_outs") > 100);
  CHECK(counter(reception("mmcss/one-core", ten), "player.drop_outs") == 0);
  // What it costs: 10 packets of 1,460 bytes per ms are 14.6 MB/s, of the link's 118.7.
  CHECK(packets(reception("mmcss/one-core", ten)) == Approx(10'000).epsilon(0.001));
  CHECK(packets(reception("mmcss/one-core", off)) > 80'000);
}

TEST_CASE("A reception refuses keys that it does not have, and impossible values", "[reception]") {
  CHECK_THROWS_AS(reception("mmcss/gigabit", {"reception.nothing=1"}), ConfigError);
  CHECK_THROWS_AS(reception("mmcss/gigabit", {"reception.throttle.index=71"}), ConfigError);
  CHECK_THROWS_AS(reception("mmcss/gigabit", {"link.rate=0 bit/s"}), ConfigError);
}

TEST_CASE("A player plays at least one period", "[reception]") {
  CHECK_THROWS_WITH(reception("mmcss/one-core", {"reception.player.period=1h"}),
                    Catch::StartsWith("reception: player.period must be at most length, got 3600"));
}
