#include <copysim/lib/version.hpp>

namespace copysim {

std::string_view version() {
  return "0.1.0";
}

}  // namespace copysim
