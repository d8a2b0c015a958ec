#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <copysim/models/parameter_reader.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/models/storage/disk_array.hpp>
#include <copysim/models/storage/hard_disk.hpp>
#include <copysim/models/storage/memory_card.hpp>
#include <copysim/models/storage/solid_state_drive.hpp>
#include <copysim/models/storage/usb_bridge.hpp>
#include <copysim/models/storage/usb_stick.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// What kind of device a drive sheet describes.
enum class DriveKind : std::uint8_t { hard_disk, usb_stick, sd_card, solid_state };
[[nodiscard]] std::string_view to_string(DriveKind kind);
[[nodiscard]] constexpr auto all_values(DriveKind /*kind*/) {
  return std::array{DriveKind::hard_disk, DriveKind::usb_stick, DriveKind::sd_card,
                    DriveKind::solid_state};
}

/// A drive as its sheet in `lib/data/drives` says: `kind`, and the parameters of that kind.
///
/// Any drive may be one of several in an array (`array.level`) and behind a USB bridge
/// (`bridge.enabled`): a RAID sheet, or `--set client.volumes.system.device.array.level=raid-5`.
struct DriveConfig {
  DriveKind kind = DriveKind::hard_disk;
  HardDisk::Config hard_disk;
  UsbStick::Config usb_stick;
  MemoryCard::Config sd_card;
  SolidStateDrive::Config solid_state;
  DiskArray::Config array;
  UsbBridge::Config bridge;

  /// The longest request that the host's drivers send to a disk; a stick and a bridge have a limit
  /// of their own.
  void limit_requests(Bytes most);
};

/// Reads `kind` and the parameters of that kind, in the table where `reader` stands.
void read_drive(DriveConfig& drive, ParameterReader& reader);

/// Builds the drive that `config` describes; `name` is that of its labels and random streams.
/// \throws ConfigError if the values do not describe a drive.
[[nodiscard]] std::unique_ptr<BlockDevice> make_drive(Simulation& sim, const std::string& name,
                                                      const DriveConfig& config);

}  // namespace copysim
