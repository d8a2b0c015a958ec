#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

#include <copysim/models/cpu/cpu_thread.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// A program that plays sound: a thread that must do a piece of work in every period.
///
/// A period whose work is not done when the next one begins is a drop-out; the thread then goes on
/// with the first period that begins after it has caught up. The multimedia class scheduler raises
/// the thread to `boosted` for `boost` of every `window`, and lowers it to `lowered` for the rest,
/// so that others are not starved (`mechanisms.md` 7.1: 8 of 10 ms).
class MultimediaPlayer {
public:
  struct Config {
    Duration period = 10ms;  ///< inferred: the buffer that the sound engine of Vista fills
    /// Assumed: decoding, effects and display of a player take a tenth of a Core 2 of 2.4 GHz.
    Duration work = 1ms;
    Duration window = 10ms;  ///< documented: MMCSS
    Duration boost = 8ms;    ///< documented: MMCSS
    int boosted = 21;        ///< seen at a player (article 003); 16 to 31 are possible
    int lowered = 4;         ///< inferred: below normal programs, 1 to 7

    static constexpr auto parameters = std::tuple{
        parameter("period", &Config::period, "time between two pieces of work", at_least(1us)),
        parameter("work", &Config::work, "work of a piece, on the reference core",
                  at_least(Duration{0})),
        parameter("window", &Config::window, "cycle of the priority boost", at_least(1us)),
        parameter("boost", &Config::boost, "part of the cycle with raised priority",
                  at_least(Duration{0})),
        parameter("boosted", &Config::boosted, "raised priority", between(1, 31)),
        parameter("lowered", &Config::lowered, "priority in the rest of the cycle", between(1, 31)),
    };
  };

  struct Counters {
    std::int64_t periods = 0;    ///< that have ended
    std::int64_t drop_outs = 0;  ///< of these, without their work done
  };

  /// Starts to play; the first period begins `phase` from now. `ideal` is the core that its thread
  /// prefers (Windows gives each thread one when it is made). The processor outlives the player,
  /// and that the simulation's tasks.
  /// \throws ConfigError if the boost is longer than its window.
  MultimediaPlayer(Simulation& simulation, SharedCpu& cpu, Config config, Duration phase = {},
                   std::optional<int> ideal = std::nullopt);

  [[nodiscard]] const Counters& counters() const { return counters_; }

private:
  Task<> play(Duration phase);
  Task<> boost();

  Simulation& simulation_;
  Config config_;
  CpuThread thread_;
  Counters counters_;
};

}  // namespace copysim
