#include <copysim/models/io_result.hpp>

namespace copysim {

std::string_view to_string(IoStatus status) {
  switch (status) {
    case IoStatus::ok:
      return "ok";
    case IoStatus::end_of_file:
      return "end of file";
    case IoStatus::not_found:
      return "not found";
    case IoStatus::exists:
      return "exists";
    case IoStatus::disk_full:
      return "disk full";
    case IoStatus::too_large:
      return "file too large";
    case IoStatus::device_error:
      return "device error";
    case IoStatus::link_down:
      return "link down";
  }
  return "unknown";
}

}  // namespace copysim
