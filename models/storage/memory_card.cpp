#include <copysim/models/storage/memory_card.hpp>

#include <string>

#include <copysim/error.hpp>

namespace copysim {

namespace {

FlashDevice::Front front(const MemoryCard::Config& config) {
  if (config.bus_rate <= Bandwidth{0})
    throw ConfigError{MemoryCard::id, "bus_rate must be positive, got " +
                                          std::to_string(config.bus_rate.bytes_per_second()) +
                                          " B/s"};
  return {.id = MemoryCard::id,
          .constraint = "card command",
          .capacity = config.capacity,
          .read_rate = config.bus_rate,
          .write_rate = config.bus_rate,
          .command = config.command_time,
          .max_request = config.max_request};
}

}  // namespace

MemoryCard::MemoryCard(Simulation& sim, std::string_view name, const Config& config)
    : FlashDevice{sim, name, front(config), config.flash} {}

}  // namespace copysim
