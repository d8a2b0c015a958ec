#include <copysim/models/storage/usb_stick.hpp>

#include <string>

#include <copysim/error.hpp>

namespace copysim {

namespace {

FlashDevice::Front front(const UsbStick::Config& config) {
  if (config.bus_read_rate <= Bandwidth{0} || config.bus_write_rate <= Bandwidth{0})
    throw ConfigError{UsbStick::id,
                      "bus_read_rate and bus_write_rate must be positive, got " +
                          std::to_string(config.bus_read_rate.bytes_per_second()) + " B/s and " +
                          std::to_string(config.bus_write_rate.bytes_per_second()) + " B/s"};
  return {.id = UsbStick::id,
          .constraint = "usb command",
          .capacity = config.capacity,
          .read_rate = config.bus_read_rate,
          .write_rate = config.bus_write_rate,
          .command = config.command_gap,
          .max_request = config.max_request};
}

}  // namespace

UsbStick::UsbStick(Simulation& sim, std::string_view name, const Config& config)
    : FlashDevice{sim, name, front(config), config.flash} {}

}  // namespace copysim
