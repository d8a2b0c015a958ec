#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <copysim/models/parameter_reader.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/models/storage/hard_disk.hpp>
#include <copysim/models/storage/usb_stick.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// What kind of device a drive sheet describes.
enum class DriveKind : std::uint8_t { hard_disk, usb_stick };
[[nodiscard]] std::string_view to_string(DriveKind kind);
[[nodiscard]] constexpr std::array<DriveKind, 2> all_values(DriveKind) {
  return {DriveKind::hard_disk, DriveKind::usb_stick};
}

/// A drive as its sheet in `lib/data/drives` says: `kind`, and the parameters of that kind.
struct DriveConfig {
  DriveKind kind = DriveKind::hard_disk;
  HardDisk::Config hard_disk;
  UsbStick::Config usb_stick;
};

/// Reads `kind` and the parameters of that kind, in the table where `reader` stands.
void read_drive(DriveConfig& drive, ParameterReader& reader);

/// Builds the drive that `config` describes; `name` is that of its labels and random streams.
/// \throws ConfigError if the values do not describe a drive.
[[nodiscard]] std::unique_ptr<BlockDevice> make_drive(Simulation& sim, const std::string& name,
                                                      const DriveConfig& config);

}  // namespace copysim
