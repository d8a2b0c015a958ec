#include <copysim/models/copy/policy_registry.hpp>

#include <algorithm>
#include <utility>

#include <copysim/error.hpp>

namespace copysim {

void PolicyRegistry::add(PolicyEntry entry) {
  if (std::ranges::find(entries_, entry.id, &PolicyEntry::id) != entries_.end()) {
    throw ConfigError{"policy", "id must be new, got \"" + entry.id + '"'};
  }
  entries_.push_back(std::move(entry));
}

const PolicyEntry& PolicyRegistry::find(std::string_view id) const {
  const auto found = std::ranges::find(entries_, id, &PolicyEntry::id);
  if (found != entries_.end()) return *found;
  std::string known;
  for (const PolicyEntry& entry : entries_) known += (known.empty() ? "" : ", ") + entry.id;
  throw ConfigError{"policy", "id must be one of " + known + ", got \"" + std::string{id} + '"'};
}

}  // namespace copysim
