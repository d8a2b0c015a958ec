#include <copysim/lib/scenario_config.hpp>

namespace copysim {

std::string_view to_string(FileSystemKind kind) {
  switch (kind) {
    case FileSystemKind::ntfs:
      return "ntfs";
    case FileSystemKind::fat32:
      return "fat32";
    case FileSystemKind::ext2:
      return "ext2";
    case FileSystemKind::ext3:
      return "ext3";
    case FileSystemKind::tmpfs:
      return "tmpfs";
  }
  return "unknown";
}

std::string_view to_string(FileCacheKind kind) {
  return kind == FileCacheKind::cache_manager ? "cache-manager" : "page-cache";
}

std::string_view to_string(Direction direction) {
  switch (direction) {
    case Direction::read:
      return "read";
    case Direction::write:
      return "write";
    case Direction::server:
      return "server";
  }
  return "unknown";
}

}  // namespace copysim
