#include <copysim/models/cpu/packet_throttle.hpp>

#include <string>

#include <copysim/error.hpp>

namespace copysim {

namespace {

int limit_of(const PacketThrottle::Config& config, int adapters) {
  if (config.index == 0) return 0;
  if (!config.faulty) return config.index;
  // Tenths of the index: 10, 8, 6, 4, ...
  const int tenths = std::max(12 - 2 * adapters, 0);
  return std::max(config.index * tenths / 10, 1);
}

}  // namespace

PacketThrottle::PacketThrottle(Config config, int adapters)
    : config_{config}, limit_{limit_of(config, adapters)} {
  if (config.index < 0 || config.index > 70) {
    throw ConfigError{"throttle",
                      "index must be 0 (off) or 1 to 70, got " + std::to_string(config.index)};
  }
  if (config.tick <= Duration::zero()) {
    throw ConfigError{"throttle",
                      "tick must be positive, got " + std::to_string(config.tick.count()) + " ns"};
  }
  if (adapters < 1) {
    throw ConfigError{"throttle", "adapters must be at least 1, got " + std::to_string(adapters)};
  }
}

int PacketThrottle::take(SimTime now, int wanted) {
  if (!active()) return wanted;
  const std::int64_t tick = now.time_since_epoch() / config_.tick;
  if (tick != tick_) {
    tick_ = tick;
    left_ = limit_;
  }
  const int taken = std::min(wanted, left_);
  left_ -= taken;
  return taken;
}

SimTime PacketThrottle::next_tick(SimTime now) const {
  return SimTime{(now.time_since_epoch() / config_.tick + 1) * config_.tick};
}

}  // namespace copysim
