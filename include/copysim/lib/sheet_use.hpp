#pragma once

#include <optional>
#include <string>
#include <vector>

#include <copysim/lib/calibrate_command.hpp>
#include <copysim/lib/published.hpp>
#include <copysim/lib/reproduce_command.hpp>
#include <copysim/lib/scenario.hpp>

namespace copysim {

/// A sheet of the catalogue, by folder and id.
struct SheetName {
  std::string kind;
  std::string id;

  [[nodiscard]] std::string text() const { return kind + "/" + id; }
};

/// Reads "machines/xp-peer", or "xp-peer" where one sheet alone has that id.
/// \throws ConfigError that lists the sheets with fitted values.
[[nodiscard]] SheetName find_sheet(const std::string& text);

/// The keys of a scenario below which the values of `sheet` stand: "server" for the machine of the
/// server, "client.volumes.stick.device" for the drive of a volume. None if it is not used.
[[nodiscard]] std::vector<std::string> uses(const ScenarioConfig& config, const Settings& settings,
                                            const SheetName& sheet);

/// The first fitted choice that a cell rests on, with all its candidates.
[[nodiscard]] std::optional<FittedChoice> fitted_choice(const CopyCell& cell);

/// What `copysim calibrate SHEET` does, before its options are set: the fitted values of the sheet,
/// and how they get into the copies that use it.
/// \throws ConfigError as `find_sheet`.
[[nodiscard]] CalibrateCommand calibration_of(const std::string& name);

}  // namespace copysim
