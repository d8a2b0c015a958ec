#include <copysim/lib/machine_drive.hpp>

namespace copysim {

std::string_view to_string(DriveKind kind) {
  return kind == DriveKind::hard_disk ? "hard-disk" : "usb-stick";
}

void read_drive(DriveConfig& drive, ParameterReader& reader) {
  read_value<DriveKind>("kind", "hard-disk or usb-stick", drive.kind, {}, reader);
  if (drive.kind == DriveKind::hard_disk) {
    read_parameters(drive.hard_disk, reader);
  } else {
    read_parameters(drive.usb_stick, reader);
  }
}

std::unique_ptr<BlockDevice> make_drive(Simulation& sim, const std::string& name,
                                        const DriveConfig& config) {
  if (config.kind == DriveKind::usb_stick) {
    return std::make_unique<UsbStick>(sim, name, config.usb_stick);
  }
  return std::make_unique<HardDisk>(sim, name, config.hard_disk);
}

}  // namespace copysim
