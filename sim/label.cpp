#include <copysim/sim/label.hpp>

namespace copysim::detail {

std::uint32_t NameTable::id(std::string_view name) {
  const auto known = ids_.find(name);
  if (known != ids_.end()) return known->second;
  const auto id = static_cast<std::uint32_t>(names_.size());
  names_.emplace_back(name);
  ids_.emplace(name, id);
  return id;
}

}  // namespace copysim::detail
