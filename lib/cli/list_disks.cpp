#include "list_disks.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/settings.hpp>

#include "table.hpp"

namespace copysim::cli {

namespace {

/// A main figure of a drive: its name in the list, and the keys that may hold it, by kind of drive.
struct FigureName {
  std::string_view name;
  std::array<std::string_view, 2> keys;
};

constexpr std::array<FigureName, 21> figure_names{{
    {"capacity", {"geometry.capacity", "capacity"}},
    {"rpm", {"geometry.rpm", ""}},
    {"heads", {"geometry.heads", ""}},
    {"track_to_track", {"seek.track_to_track", ""}},
    {"average_seek", {"seek.average", ""}},
    {"full_stroke", {"seek.full_stroke", ""}},
    {"outer_rate", {"geometry.outer_rate", ""}},
    {"inner_rate", {"geometry.inner_rate", ""}},
    {"read_cache_segments", {"read_cache.segments", ""}},
    {"read_cache_segment_size", {"read_cache.segment_size", ""}},
    {"write_cache", {"write_cache.size", "write_buffer"}},
    {"bus_rate", {"bus_rate", "bus_read_rate"}},
    {"erase_block", {"flash.erase_block", ""}},
    {"page", {"flash.page", ""}},
    {"flash_read", {"flash.read_rate", "flash.page_read"}},
    {"flash_program", {"flash.program_rate", "flash.page_program"}},
    {"channels", {"flash.channels", ""}},
    {"dies", {"flash.dies", ""}},
    {"array_level", {"array.level", ""}},
    {"array_disks", {"array.disks", ""}},
    {"usb_bridge", {"bridge.enabled", ""}},
}};

struct Figure {
  std::string_view name;
  std::string value;
  std::string mark;
  std::string source;
};

std::string plain(const SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return to_text(value);
}

std::optional<Figure> figure_of(const Settings& settings, const FigureName& name) {
  for (const std::string_view key : name.keys) {
    const Setting* setting = key.empty() ? nullptr : settings.find(key);
    if (setting == nullptr) continue;
    return Figure{name.name, plain(setting->value), setting->origin.mark, setting->origin.source};
  }
  return std::nullopt;
}

boost::json::value cell(const std::optional<Figure>& figure, ReportFormat format) {
  if (!figure) return {};
  if (format == ReportFormat::csv) {
    const std::string text = figure->value + " [" + figure->mark + ": " + figure->source + "]";
    return text.c_str();
  }
  return boost::json::object{{"value", figure->value.c_str()},
                             {"mark", figure->mark.c_str()},
                             {"source", figure->source.c_str()}};
}

void write_blocks(std::ostream& out) {
  const auto padded = [](std::string_view text, std::size_t width) {
    std::string cell{text};
    cell.resize(std::max(width, cell.size() + 2), ' ');
    return cell;
  };
  for (const std::string& id : catalogue().ids("drives")) {
    const Sheet sheet = load_sheet("drives", id);
    out << padded(id, 28) << padded(std::to_string(sheet.year), 6) << sheet.title << " ("
        << sheet.source << ")\n";
    for (const FigureName& name : figure_names) {
      const auto figure = figure_of(sheet.settings, name);
      if (!figure) continue;
      out << "    " << padded(name.name, 26) << padded(figure->value, 18)
          << padded(figure->mark, 12) << figure->source << '\n';
    }
  }
}

}  // namespace

void list_disks(ReportFormat format, std::ostream& out) {
  if (format == ReportFormat::text) {
    write_blocks(out);
    return;
  }
  Table table{{"id", "year", "kind", "title", "source"}, {}};
  for (const FigureName& name : figure_names) table.columns.emplace_back(name.name);
  for (const std::string& id : catalogue().ids("drives")) {
    const Sheet sheet = load_sheet("drives", id);
    const Setting* kind = sheet.settings.find("kind");
    boost::json::array row{id.c_str(), sheet.year,
                           kind == nullptr ? "" : plain(kind->value).c_str(), sheet.title.c_str(),
                           sheet.source.c_str()};
    for (const FigureName& name : figure_names) {
      row.push_back(cell(figure_of(sheet.settings, name), format));
    }
    table.rows.push_back(std::move(row));
  }
  write_table(out, table, format);
}

}  // namespace copysim::cli
