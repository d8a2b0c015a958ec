#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include <copysim/lib/measure.hpp>
#include <copysim/models/cpu/multimedia_player.hpp>
#include <copysim/models/cpu/packet_throttle.hpp>
#include <copysim/models/cpu/receive_adapter.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

struct ScenarioConfig;

/// What arrives at a machine that receives.
enum class Traffic : std::uint8_t {
  offered,   ///< full packets at a constant rate, whatever becomes of them
  stream,    ///< one endless TCP stream, as fast as its windows let it
  requests,  ///< a copy that asks for a block, waits for it over TCP, and asks for the next
};
[[nodiscard]] std::string_view to_string(Traffic traffic);
[[nodiscard]] constexpr std::array<Traffic, 3> all_values(Traffic) {
  return {Traffic::offered, Traffic::stream, Traffic::requests};
}

/// A machine that receives while sound plays: the table `[reception]` of a scenario, which then has
/// no copy, no engine and no server, but a client and a link.
struct ReceptionConfig {
  Traffic traffic = Traffic::offered;
  Bandwidth offered{};  ///< on the wire; 0: what the link carries
  Bytes block{65536};   ///< asked for at a time; the largest request of SMB2 before 2.1
  /// From the request until the other computer begins to send: its disk, its server, its stack.
  Duration turnaround = 400us;   ///< inferred: `mechanisms.md` 6.3, 0.2 to 0.6 ms
  Duration request_work = 50us;  ///< inferred: of the copying thread, for each block
  int adapters = 1;              ///< of the machine; one receives, all count for the throttle
  bool playing = true;           ///< a player runs, and the throttle with it
  bool busy = false;             ///< a thread of normal priority that always has work
  Duration warm_up = 2s;         ///< not measured: slow start
  Duration length = 20s;         ///< measured
  ReceiveAdapter::Config adapter;
  PacketThrottle::Config throttle;
  MultimediaPlayer::Config player;

  static constexpr auto parameters = std::tuple{
      parameter("traffic", &ReceptionConfig::traffic, "offered, stream or requests"),
      parameter("offered", &ReceptionConfig::offered, "offered load on the wire; 0: the link's",
                at_least(Bandwidth{0})),
      parameter("block", &ReceptionConfig::block, "requests: bytes asked for at a time",
                at_least(Bytes{1})),
      parameter("turnaround", &ReceptionConfig::turnaround,
                "requests: time until the other computer begins to send", at_least(Duration{0})),
      parameter("request_work", &ReceptionConfig::request_work,
                "requests: work of the copying thread for each block", at_least(Duration{0})),
      parameter("adapters", &ReceptionConfig::adapters, "network adapters of the machine",
                between(1, 16)),
      parameter("playing", &ReceptionConfig::playing, "sound plays"),
      parameter("busy", &ReceptionConfig::busy, "another program always has work"),
      parameter("warm_up", &ReceptionConfig::warm_up, "time before the measurement",
                at_least(Duration{0})),
      parameter("length", &ReceptionConfig::length, "time of the measurement", at_least(1ms)),
      section("adapter", &ReceptionConfig::adapter, "the card that receives"),
      section("throttle", &ReceptionConfig::throttle, "packet limit while sound plays"),
      section("player", &ReceptionConfig::player, "the program that plays"),
  };
};

/// Simulates a reception. `elapsed` is the measured time, `copied` the TCP payload (of `offered`:
/// 1,460 bytes per packet) handed to the protocol in it; the counters are of the measured time.
/// \throws ConfigError if the configuration has no reception or values that exclude each other.
[[nodiscard]] RunResult run_reception(const ScenarioConfig& config, std::uint64_t replication);

}  // namespace copysim
