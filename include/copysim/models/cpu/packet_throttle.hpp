#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The limit on received packets that Windows Vista sets while a multimedia program plays.
///
/// A token bucket whose depth is what one tick fills in: in each millisecond, counted from the
/// start of the simulation, NDIS hands at most `index` packets to the protocols; what is not used
/// is lost. So a constant stream above the limit passes at exactly `index` packets per tick.
/// With several adapters a fault of the first release lowers the limit: 8 of 10 with two, 6 with
/// three (article 003, KB948066). What it is with four or more, or with another index, no source
/// tells; here each further adapter takes two tenths of the index away, down to one packet.
class PacketThrottle {
public:
  struct Config {
    /// Packets per tick while a multimedia program plays; 0: off (0xFFFFFFFF in the registry).
    /// Documented: default 10, 1 to 70 can be set from Service Pack 1 on (NetworkThrottlingIndex).
    int index = 10;
    Duration tick = 1ms;  ///< documented: KB948066
    bool faulty = true;   ///< several adapters lower the limit: Vista RTM

    static constexpr auto parameters = std::tuple{
        parameter("index", &Config::index, "packets per tick while sound plays; 0: off",
                  between(0, 70)),
        parameter("tick", &Config::tick, "how often the limit is filled in again", at_least(1us)),
        parameter("faulty", &Config::faulty, "further adapters lower the limit"),
    };
  };

  /// \throws ConfigError if a value is not allowed.
  PacketThrottle(Config config, int adapters);

  /// Whether a multimedia program plays.
  void set_playing(bool playing) { playing_ = playing; }
  [[nodiscard]] bool active() const { return playing_ && limit_ > 0; }
  /// The packets that a tick lets pass; 0 if the throttle is off.
  [[nodiscard]] int limit() const { return limit_; }
  /// Takes up to `wanted` packets of the tick that `now` lies in, and returns how many.
  int take(SimTime now, int wanted);
  [[nodiscard]] SimTime next_tick(SimTime now) const;

private:
  Config config_;
  int limit_;
  bool playing_ = false;
  std::int64_t tick_ = -1;  // the one that `left_` belongs to
  int left_ = 0;
};

}  // namespace copysim
