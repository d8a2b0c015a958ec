#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// Which cores take the interrupts of devices and the deferred procedure calls that they queue.
enum class InterruptPlacement : std::uint8_t {
  all_cores,   ///< an idle core if there is one, else the one with the shortest queue
  first_core,  ///< all on the first core, as on Windows Server 2003 (article 004)
};
[[nodiscard]] std::string_view to_string(InterruptPlacement placement);
constexpr std::array<InterruptPlacement, 2> all_values(InterruptPlacement) {
  return {InterruptPlacement::all_cores, InterruptPlacement::first_core};
}

/// By which rules threads share the cores.
enum class SchedulingRule : std::uint8_t {
  priorities,    ///< Windows: the highest of 32 levels runs
  time_sharing,  ///< Linux 2.4: the most ticks left of an epoch
};
[[nodiscard]] std::string_view to_string(SchedulingRule rule);
constexpr std::array<SchedulingRule, 2> all_values(SchedulingRule) {
  return {SchedulingRule::priorities, SchedulingRule::time_sharing};
}

/// How a system shares its cores: the table `scheduler` of a system sheet.
struct SchedulerConfig {
  SchedulingRule rule = SchedulingRule::priorities;
  /// Time slice of a thread. Documented (Windows Internals 5e, chapter 5): two clock intervals on
  /// desktops, twelve on servers; an interval is 15.625 ms on a multiprocessor.
  Duration quantum = 31'250us;
  /// Clock interval of Linux, in which its time sharing counts: HZ = 100 on the PCs of 2001.
  Duration tick = 10ms;
  /// Ours to assume for desktops: the models of this library that charge interrupts without naming
  /// a device speak of machines with one or two cores, where it matters little.
  InterruptPlacement interrupts = InterruptPlacement::all_cores;

  static constexpr auto parameters = std::tuple{
      parameter("rule", &SchedulerConfig::rule, "priorities (Windows) or time-sharing (Linux 2.4)"),
      parameter("quantum", &SchedulerConfig::quantum, "priorities: time slice of a thread",
                at_least(1us)),
      parameter("tick", &SchedulerConfig::tick, "time-sharing: clock interval", at_least(1us)),
      parameter("interrupts", &SchedulerConfig::interrupts,
                "cores that take interrupts: all-cores or first-core"),
  };
};

}  // namespace copysim
