#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/units.hpp>

namespace copysim {

/// A part of the machine that time is charged to, such as "client.disk". From
/// `Simulation::component`; the default one has no name.
struct ComponentId {
  std::uint32_t value = 0;
  auto operator<=>(const ComponentId&) const = default;
};

/// What a component does while time passes, such as "seek". From `Simulation::activity`.
struct Activity {
  std::uint32_t value = 0;
  auto operator<=>(const Activity&) const = default;
};

/// Why a task had to wait for others, such as "credits". From `Simulation::constraint`.
struct Constraint {
  std::uint32_t value = 0;
  auto operator<=>(const Constraint&) const = default;
};

/// Says what simulated time is spent on: who, and doing what.
struct Label {
  ComponentId component;
  Activity activity;
  auto operator<=>(const Label&) const = default;
};

/// One piece of a delay that has several, such as the seek of a disk access. Pieces follow one
/// another in the order given.
struct LabelledPart {
  Label label;
  Duration duration{};
};

/// One row of a task's path: so much of the elapsed time went to this activity of this component,
/// and was waited for because of this constraint (empty if none was crossed).
struct PathRow {
  std::string component;
  std::string activity;
  std::string constraint;
  Duration duration{};
  bool operator==(const PathRow&) const = default;
};

namespace detail {

/// Numbers names in the order in which they are first seen; 0 is the empty name.
class NameTable {
public:
  NameTable() { id(""); }
  std::uint32_t id(std::string_view name);
  [[nodiscard]] const std::string& name(std::uint32_t id) const { return names_[id]; }

private:
  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t, std::less<>> ids_;
};

}  // namespace detail

}  // namespace copysim
