#include <copysim/models/cpu/multimedia_player.hpp>

#include <string>

#include <copysim/error.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>

namespace copysim {

MultimediaPlayer::MultimediaPlayer(Simulation& simulation, SharedCpu& cpu, Config config,
                                   Duration phase, std::optional<int> ideal)
    : simulation_{simulation},
      config_{config},
      thread_{cpu, {.name = "player", .priority = config.lowered, .core = {}, .ideal = ideal}} {
  if (config.boost > config.window) {
    throw ConfigError{"player", "boost must not be longer than window, got " +
                                    std::to_string(config.boost.count()) + " ns"};
  }
  simulation.spawn(boost(), "multimedia class scheduler");
  simulation.spawn(play(phase), "player");
}

Task<> MultimediaPlayer::play(Duration phase) {
  co_await simulation_.delay(phase);
  SimTime begins = simulation_.now();
  while (true) {
    co_await thread_.run(config_.work);
    const Duration took = simulation_.now() - begins;
    // Work that ends with its period is in time.
    const std::int64_t late = (took.count() - 1) / config_.period.count();
    counters_.drop_outs += late;
    counters_.periods += late + 1;
    begins += (late + 1) * config_.period;
    co_await simulation_.delay(begins - simulation_.now());
  }
}

Task<> MultimediaPlayer::boost() {
  while (true) {
    thread_.set_priority(config_.boosted);
    co_await simulation_.delay(config_.boost);
    thread_.set_priority(config_.lowered);
    co_await simulation_.delay(config_.window - config_.boost);
  }
}

}  // namespace copysim
