#include <copysim/lib/scenario_config.hpp>

namespace copysim {

std::string_view to_string(FileSystemKind kind) {
  return kind == FileSystemKind::ntfs ? "ntfs" : "fat32";
}

std::string_view to_string(Direction direction) {
  return direction == Direction::read ? "read" : "write";
}

}  // namespace copysim
