#include <copysim/lib/machine_drive.hpp>

#include <utility>
#include <vector>

namespace copysim {

namespace {

std::unique_ptr<BlockDevice> make_one(Simulation& sim, const std::string& name,
                                      const DriveConfig& config) {
  switch (config.kind) {
    case DriveKind::usb_stick:
      return std::make_unique<UsbStick>(sim, name, config.usb_stick);
    case DriveKind::sd_card:
      return std::make_unique<MemoryCard>(sim, name, config.sd_card);
    case DriveKind::solid_state:
      return std::make_unique<SolidStateDrive>(sim, name, config.solid_state);
    case DriveKind::hard_disk:
      break;
  }
  return std::make_unique<HardDisk>(sim, name, config.hard_disk);
}

std::unique_ptr<BlockDevice> make_array(Simulation& sim, const std::string& name,
                                        const DriveConfig& config) {
  std::vector<std::unique_ptr<BlockDevice>> drives;
  for (int i = 0; i < config.array.disks; ++i) {
    drives.push_back(make_one(sim, name + "." + std::to_string(i), config));
  }
  return std::make_unique<DiskArray>(sim, config.array, std::move(drives));
}

}  // namespace

std::string_view to_string(DriveKind kind) {
  switch (kind) {
    case DriveKind::hard_disk:
      return "hard-disk";
    case DriveKind::usb_stick:
      return "usb-stick";
    case DriveKind::sd_card:
      return "sd-card";
    case DriveKind::solid_state:
      return "solid-state";
  }
  return "?";
}

void DriveConfig::limit_requests(Bytes most) {
  hard_disk.max_request = most;
  solid_state.max_request = most;
}

void read_drive(DriveConfig& drive, ParameterReader& reader) {
  read_value<DriveKind>("kind", "hard-disk, usb-stick, sd-card or solid-state", drive.kind, {},
                        reader);
  switch (drive.kind) {
    case DriveKind::hard_disk:
      read_parameters(drive.hard_disk, reader);
      break;
    case DriveKind::usb_stick:
      read_parameters(drive.usb_stick, reader);
      break;
    case DriveKind::sd_card:
      read_parameters(drive.sd_card, reader);
      break;
    case DriveKind::solid_state:
      read_parameters(drive.solid_state, reader);
      break;
  }
  const auto table = [&reader](std::string_view name, std::string_view text, auto& config) {
    reader.enter(name, text);
    read_parameters(config, reader);
    reader.leave();
  };
  table("array", "several of these drives", drive.array);
  table("bridge", "USB between it and the host", drive.bridge);
}

std::unique_ptr<BlockDevice> make_drive(Simulation& sim, const std::string& name,
                                        const DriveConfig& config) {
  const bool array = config.array.level != ArrayLevel::none;
  std::unique_ptr<BlockDevice> drive =
      array ? make_array(sim, name, config) : make_one(sim, name, config);
  if (!config.bridge.enabled) return drive;
  return std::make_unique<UsbBridge>(sim, name, config.bridge, std::move(drive));
}

}  // namespace copysim
