#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/settings.hpp>

namespace copysim {

/// One data file that ships inside the library.
struct CatalogueFile {
  std::string_view kind;  ///< its folder below lib/data: drives, links, machines, systems, ...
  std::string_view id;    ///< its path below that folder without extension: "apc/vista-to-xp"
  std::string_view name;  ///< its path below lib/data, for messages: "systems/xp.toml"
  std::string_view text;
};

/// The data files of `lib/data`, embedded at build time, so that a linked program needs no path.
class Catalogue {
public:
  explicit Catalogue(std::span<const CatalogueFile> files) : files_{files} {}

  /// \throws ConfigError that lists the known ids of `kind`, with the nearest one.
  [[nodiscard]] const CatalogueFile& find(std::string_view kind, std::string_view id) const;
  [[nodiscard]] bool contains(std::string_view kind, std::string_view id) const;
  /// The ids of `kind` in alphabetical order.
  [[nodiscard]] std::vector<std::string> ids(std::string_view kind) const;
  /// All files, ordered by name.
  [[nodiscard]] std::span<const CatalogueFile> files() const { return files_; }

private:
  std::span<const CatalogueFile> files_;
};

/// The catalogue of this library.
[[nodiscard]] Catalogue catalogue();

/// A parsed sheet of the catalogue: what it describes, and its values.
struct Sheet {
  std::string id;
  std::string title;      ///< in one line
  std::int64_t year = 0;  ///< when it was new; 0 if the file does not tell
  std::string source;     ///< what most of the values come from
  Settings settings;      ///< all other keys
};

/// Reads the sheet `id` of `kind` ("drives", "links", "loads", "machines", "systems"), or the file
/// at the path `id` if that ends in ".toml", with the values of the sheets below it that `base`
/// names.
/// \throws ConfigError for an unknown id, or if the bases lead back to the sheet.
[[nodiscard]] Sheet load_sheet(std::string_view kind, std::string_view id);

/// Reads a text file. \throws ConfigError that names it if that fails.
[[nodiscard]] std::string read_text_file(const std::string& path);

/// A value of the catalogue that was fitted to published timings.
struct FittedValue {
  std::string name;  ///< sheet and key: "machines/xp-peer: volumes.system.drive"
  SettingValue value;
  std::vector<SettingValue> range;   ///< lowest and highest, or the candidates of a choice
  std::vector<std::string> sources;  ///< ids of the publications that `rows` belong to
  std::vector<std::string> rows;     ///< the published timings that it was fitted to
  std::string command;               ///< how to repeat the fit
  std::string reason;                ///< why the value is not known otherwise
};

/// All fitted values of all shipped sheets and scenarios, in the order of their names.
[[nodiscard]] std::vector<FittedValue> fitted_values();

}  // namespace copysim
