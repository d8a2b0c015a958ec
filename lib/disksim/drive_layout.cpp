#include <algorithm>
#include <cmath>

#include "drive_parts.hpp"

namespace copysim::disksim {

namespace {

constexpr std::int64_t many = 1'000'000'000;
constexpr std::size_t most_remaps = 4'000'000;  // sectors; a drive has some hundred

// The numbers of diskmodel's layout G1.
enum Sparing : std::int64_t {
  none = 0,
  tracks_per_zone = 1,
  per_cylinder = 2,
  per_each_track = 3,
  per_cylinder_slip_to_end = 4,
  front_of_cylinder = 5,
  front_of_cylinder_slip_to_end = 6,
  end_of_disk = 7,
  per_range = 8,
  per_zone = 9,
  per_zone_slip_to_end = 10,
};

struct Layout {
  std::int64_t heads = 0;
  std::int64_t scheme = none;
  std::int64_t range_cylinders = 1;
  bool in_revolutions = false;  // skews
};

bool in_revolutions(const BlockReader& block, bool otherwise) {
  if (!block.has("Skew units")) return otherwise;
  const std::string unit = block.text("Skew units");
  if (unit != "revolutions" && unit != "sectors")
    block.fail("Skew units", "must be sectors or revolutions, got '" + unit + "'");
  return unit == "revolutions";
}

// A skew in whole sectors; one given in revolutions is rounded up, so that it stays long enough.
std::int32_t sectors(const BlockReader& zone, std::string_view key, const Layout& layout,
                     std::int64_t per_track) {
  if (!zone.has(key)) return 0;
  const double value = zone.number(key, 0, static_cast<double>(many));
  const double count =
      layout.in_revolutions ? std::ceil(value * static_cast<double>(per_track)) : std::floor(value);
  return static_cast<std::int32_t>(count);
}

// Places of the zone by their numbers, which count units of sectors.
std::vector<std::int64_t> units(const BlockReader& zone, std::string_view key, std::int64_t below) {
  std::vector<std::int64_t> result = zone.integers(key);
  for (const std::int64_t unit : result) {
    if (unit >= below)
      zone.fail(key, "must lie in the zone, that is below " + std::to_string(below) + ", got " +
                         std::to_string(unit));
  }
  return result;
}

std::vector<ZoneSparing::Remap> remaps(const BlockReader& zone, std::int64_t unit,
                                       std::int64_t below) {
  const std::vector<std::int64_t> pairs = units(zone, "defects", below);
  if (pairs.size() % 2 != 0) zone.fail("defects", "must hold pairs of numbers");
  if (pairs.size() / 2 > most_remaps / static_cast<std::size_t>(unit))
    zone.fail("defects", "must not replace more than " + std::to_string(most_remaps) + " sectors");
  std::vector<ZoneSparing::Remap> result;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    if (pairs[i] == pairs[i + 1]) continue;
    for (std::int64_t sector = 0; sector < unit; ++sector)
      result.push_back({pairs[i] * unit + sector, pairs[i + 1] * unit + sector});
  }
  std::sort(result.begin(), result.end(),
            [](const auto& a, const auto& b) { return a.from < b.from; });
  return result;
}

ZoneSparing sparing(const BlockReader& block, const Layout& layout, std::int64_t cylinders,
                    std::int64_t per_track) {
  ZoneSparing result;
  const std::int64_t per_cylinder_sectors = per_track * layout.heads;
  result.spares = block.integer("Number of spares", 0, many);
  result.reserved = block.integer("Empty space at zone front", 0, many);
  switch (layout.scheme) {
    case tracks_per_zone:
      result.unit = per_track;
      break;
    case per_cylinder:
    case per_cylinder_slip_to_end:
    case front_of_cylinder:
    case front_of_cylinder_slip_to_end:
      result.region_sectors = per_cylinder_sectors;
      result.slips_turn = true;
      break;
    case per_each_track:
      result.region_sectors = per_track;
      result.slips_turn = true;
      break;
    case end_of_disk:
      if (result.spares > 0) result.region_sectors = per_cylinder_sectors;
      break;
    case per_range:
      result.region_sectors = per_cylinder_sectors * layout.range_cylinders;
      break;
    default:
      break;
  }
  result.spares_in_front =
      layout.scheme == front_of_cylinder || layout.scheme == front_of_cylinder_slip_to_end;
  result.slip_to_end = layout.scheme == per_cylinder_slip_to_end ||
                       layout.scheme == front_of_cylinder_slip_to_end ||
                       layout.scheme == end_of_disk;
  if (result.region_sectors > 0 && result.spares >= result.region_sectors)
    block.fail("Number of spares", "must leave room for data");
  const std::int64_t below = per_cylinder_sectors * cylinders / result.unit;
  result.slips = units(block, "slips", below);
  std::sort(result.slips.begin(), result.slips.end());
  result.remaps = remaps(block, result.unit, below);
  return result;
}

// How many of a zone's physical sectors hold user data, as diskmodel counts them.
std::int64_t user_sectors(const ZoneSparing& sparing, const Layout& layout, std::int64_t cylinders,
                          std::int64_t per_track) {
  const auto slips = static_cast<std::int64_t>(sparing.slips.size());
  std::int64_t kept = sparing.reserved;
  switch (layout.scheme) {
    case tracks_per_zone:
      kept += sparing.spares * per_track;
      break;
    case per_each_track:
      kept += sparing.spares * cylinders * layout.heads;
      break;
    case per_cylinder:
    case front_of_cylinder:
      kept += sparing.spares * cylinders;
      break;
    case per_cylinder_slip_to_end:
    case front_of_cylinder_slip_to_end:
      kept += sparing.spares * cylinders + slips;
      break;
    case end_of_disk:
      kept += slips;
      break;
    case per_range:
      kept += sparing.spares * (cylinders / layout.range_cylinders);
      break;
    case per_zone:
      kept += sparing.spares;
      break;
    case per_zone_slip_to_end:
      kept += sparing.spares + slips;
      break;
    default:
      kept += slips;
      break;
  }
  return cylinders * layout.heads * per_track - kept;
}

Zone read_zone(const BlockReader& block, Layout layout, std::int64_t first_sector,
               std::int64_t mapping) {
  layout.in_revolutions = in_revolutions(block, layout.in_revolutions);
  const std::int64_t first = block.integer("First cylinder number", 0, many);
  const std::int64_t last = block.integer("Last cylinder number", first, many);
  const std::int64_t per_track = block.integer("Blocks per track", 1, 1'000'000);
  Zone zone;
  zone.first_sector = first_sector;
  zone.first_cylinder = static_cast<std::int32_t>(first);
  zone.cylinders = static_cast<std::int32_t>(last - first + 1);
  zone.sectors_per_track = static_cast<std::int32_t>(per_track);
  zone.first_angle = sectors(block, "Offset of first block", layout, per_track);
  zone.track_skew = sectors(block, "Skew for track switch", layout, per_track);
  zone.cylinder_skew = sectors(block, "Skew for cylinder switch", layout, per_track);
  zone.reversed = mapping == 2 && first % 2 != 0;
  zone.sparing = sparing(block, layout, zone.cylinders, per_track);
  zone.sectors = user_sectors(zone.sparing, layout, zone.cylinders, per_track);
  if (zone.sectors <= 0) block.fail("Number of spares", "must leave room for data");
  return zone;
}

}  // namespace

void read_layout(const BlockReader& model, DiskGeometry::Config& geometry) {
  Layout layout;
  layout.heads = model.integer("Number of data surfaces", 1, 256);
  const BlockReader block = model.child("Layout Model");
  if (block.block().type != "dm_layout_g1")
    model.fail("Layout Model", "must be a dm_layout_g1, got '" + block.block().type + "'");
  const std::int64_t mapping = block.integer("LBN-to-PBN mapping scheme", 0, 2);
  layout.scheme = block.integer("Sparing scheme used", none, per_zone_slip_to_end);
  layout.range_cylinders = block.integer("Rangesize for sparing", 1, many);
  layout.in_revolutions = in_revolutions(block, false);

  geometry.heads = static_cast<int>(layout.heads);
  geometry.order = mapping == 0 ? TrackOrder::cylinder : TrackOrder::alternating;
  geometry.zone_table.clear();
  std::int64_t first_sector = 0;
  std::int64_t first_cylinder = 0;
  for (const BlockReader& zone_block : block.blocks("Zones", "dm_layout_g1_zone")) {
    Zone zone = read_zone(zone_block, layout, first_sector, mapping);
    if (zone.first_cylinder < first_cylinder)
      zone_block.fail("First cylinder number", "must lie behind the zone before");
    first_sector += zone.sectors;
    first_cylinder = std::int64_t{zone.first_cylinder} + zone.cylinders;
    geometry.zone_table.push_back(std::move(zone));
  }
}

}  // namespace copysim::disksim
