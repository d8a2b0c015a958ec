#include <copysim/models/cpu/receive_scaling.hpp>

#include <algorithm>
#include <string>

#include <copysim/error.hpp>

namespace copysim {

std::string_view to_string(ScalingKind kind) {
  switch (kind) {
    case ScalingKind::none:
      return "none";
    case ScalingKind::shared_base:
      return "shared-base";
    case ScalingKind::own_base:
      return "own-base";
  }
  throw SimulationError{"unknown kind of receive-side scaling"};
}

ReceiveScaling::ReceiveScaling(Config config, int machine_cores)
    : config_{config}, machine_cores_{machine_cores} {
  if (config.cores < 1) {
    throw ConfigError{"scaling", "cores must be at least 1, got " + std::to_string(config.cores)};
  }
  queues_ = scales() ? std::min(config.cores, machine_cores) : 1;
}

}  // namespace copysim
