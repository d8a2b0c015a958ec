#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <copysim/lib/workload.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/models/shell/program.hpp>

namespace copysim {

/// Which programs a desktop runs: the table `[desktop]`. They are tables `[tasks.<name>]` of the
/// scenario or of its load sheet, and read the workloads of the same.
struct DesktopConfig {
  /// The program that is timed, in place of a copy; empty: the copy is.
  std::string foreground;
  /// Programs that run beside it, over and over again until it ends: names with commas between.
  std::string background;
  /// How long they have been at work when it starts.
  Duration lead = 20s;

  static constexpr auto parameters = std::tuple{
      parameter("foreground", &DesktopConfig::foreground,
                "the task that is timed; empty: the copy"),
      parameter("background", &DesktopConfig::background,
                "tasks that run beside it, with commas between"),
      parameter("lead", &DesktopConfig::lead, "how long the background runs before it",
                at_least(Duration{0})),
  };
};

/// A program of a scenario with the files that it reads.
struct DesktopTask {
  std::string name;
  Program::Config program;
  std::optional<WorkloadConfig> input;
};

/// The programs that a run needs, in place of their names.
struct DesktopPlan {
  std::optional<DesktopTask> foreground;
  std::vector<DesktopTask> background;
  Duration lead{};
};

}  // namespace copysim
