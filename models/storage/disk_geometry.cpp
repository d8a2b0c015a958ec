#include <copysim/models/storage/disk_geometry.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <copysim/error.hpp>

namespace copysim {

namespace {

constexpr std::string_view component = "hard-disk";

void require(bool holds, const std::string& text) {
  if (!holds) throw ConfigError{component, text};
}

// The least number of sectors that pass in `time`; a skew must never be shorter than the switch.
std::int32_t sectors_in(Duration time, Duration revolution, std::int32_t sectors_per_track) {
  const std::int64_t scaled = time.count() * sectors_per_track;
  return static_cast<std::int32_t>((scaled + revolution.count() - 1) / revolution.count());
}

}  // namespace

std::string_view to_string(TrackOrder order) {
  switch (order) {
    case TrackOrder::cylinder:
      return "cylinder";
    case TrackOrder::band:
      return "band";
    case TrackOrder::alternating:
      return "alternating";
  }
  return "?";
}

DiskGeometry::DiskGeometry(Config config)
    : config_{std::move(config)}, revolution_{from_seconds(60.0 / std::max(1, config_.rpm))} {
  check();
  build_zones();
  index_zones();
}

void DiskGeometry::check() const {
  require(config_.rpm > 0, "rpm must be positive, got " + std::to_string(config_.rpm));
  require(config_.heads > 0, "heads must be positive, got " + std::to_string(config_.heads));
  require(config_.band_cylinders > 0,
          "band_cylinders must be positive, got " + std::to_string(config_.band_cylinders));
  if (!config_.zone_table.empty()) return;
  require(config_.zones > 0, "zones must be positive, got " + std::to_string(config_.zones));
  require(config_.capacity >= 1_MiB, "capacity must be at least 1 MiB, got " +
                                         std::to_string(config_.capacity.count()) + " B");
  require(config_.inner_rate > Bandwidth{0},
          "inner_rate must be positive, got " +
              std::to_string(config_.inner_rate.bytes_per_second()) + " B/s");
  require(config_.outer_rate >= config_.inner_rate,
          "outer_rate must not be below inner_rate, got " +
              std::to_string(config_.outer_rate.bytes_per_second()) + " B/s");
}

double DiskGeometry::mean_skew_in_revolutions() const {
  const bool by_cylinder = config_.order != TrackOrder::band;
  const double tracks = by_cylinder ? config_.heads : config_.band_cylinders;
  const Duration often = by_cylinder ? config_.track_skew : config_.cylinder_skew;
  const Duration once = by_cylinder ? config_.cylinder_skew : config_.track_skew;
  return ((tracks - 1) * seconds(often) + seconds(once)) / tracks / seconds(revolution_);
}

void DiskGeometry::build_zones() {
  if (!config_.zone_table.empty()) {
    zones_ = config_.zone_table;
    for (const Zone& zone : zones_)
      require(zone.sectors_per_track > 0 && zone.sectors > 0, "zone_table holds an empty zone");
    return;
  }
  const double turns = 1 + mean_skew_in_revolutions();
  const auto per_track = [&](Bandwidth rate) {
    return rate.bytes_per_second() * seconds(revolution_) * turns / 512;
  };
  const double outer = per_track(config_.outer_rate);
  const double inner = per_track(config_.inner_rate);
  require(inner >= 1, "inner_rate must fill at least one sector per track, got " +
                          std::to_string(config_.inner_rate.bytes_per_second()) + " B/s");
  std::vector<std::int32_t> counts;
  std::int64_t all_counts = 0;
  for (int i = 0; i < config_.zones; ++i) {
    const double part = config_.zones == 1 ? 0 : static_cast<double>(i) / (config_.zones - 1);
    counts.push_back(static_cast<std::int32_t>(std::lround(outer + (inner - outer) * part)));
    all_counts += counts.back();
  }
  const std::int64_t wanted = config_.capacity / sector_size;
  const std::int64_t per_cylinder = all_counts * config_.heads;
  const std::int64_t cylinders = (wanted + per_cylinder - 1) / per_cylinder;
  for (const std::int32_t count : counts) add_zone(static_cast<std::int32_t>(cylinders), count);
}

void DiskGeometry::index_zones() {
  for (const Zone& zone : zones_) {
    zone_ends_.push_back(zone.first_sector + zone.sectors);
    maps_.emplace_back(zone.sparing);
  }
  sectors_ = zone_ends_.back();
  cylinders_ = zones_.back().first_cylinder + zones_.back().cylinders;
}

void DiskGeometry::add_zone(std::int32_t cylinders, std::int32_t sectors_per_track) {
  const std::int64_t wanted = config_.capacity / sector_size;
  Zone zone;
  if (!zones_.empty()) {
    zone.first_sector = zones_.back().first_sector + zones_.back().sectors;
    zone.first_cylinder = zones_.back().first_cylinder + zones_.back().cylinders;
  }
  if (zone.first_sector >= wanted) return;
  const std::int64_t per_cylinder = std::int64_t{sectors_per_track} * config_.heads;
  zone.sectors = std::min(per_cylinder * cylinders, wanted - zone.first_sector);
  zone.cylinders = static_cast<std::int32_t>((zone.sectors + per_cylinder - 1) / per_cylinder);
  zone.sectors_per_track = sectors_per_track;
  zone.track_skew = sectors_in(config_.track_skew, revolution_, sectors_per_track);
  zone.cylinder_skew = sectors_in(config_.cylinder_skew, revolution_, sectors_per_track);
  zones_.push_back(zone);
}

std::size_t DiskGeometry::zone_of(std::int64_t sector) const {
  const auto found = std::upper_bound(zone_ends_.begin(), zone_ends_.end(), sector);
  return static_cast<std::size_t>(found - zone_ends_.begin());
}

SectorPosition DiskGeometry::locate(std::int64_t sector) const {
  const std::size_t number_of_zone = zone_of(sector);
  const Zone& zone = zones_[number_of_zone];
  const ZoneMap& map = maps_[number_of_zone];
  const std::int64_t heads = config_.heads;
  const ZoneMap::Place place = map.find(sector - zone.first_sector);
  const std::int64_t track = place.physical / zone.sectors_per_track;
  const std::int64_t track_start = track * zone.sectors_per_track;
  std::int64_t cylinder = 0;
  std::int64_t head = 0;
  std::int64_t skew = zone.first_angle + map.turned_before(track_start);
  if (config_.order != TrackOrder::band) {
    cylinder = track / heads;
    head = track % heads;
    skew += (track - cylinder) * zone.track_skew + cylinder * zone.cylinder_skew;
    const bool backwards = ((cylinder % 2) != 0) != zone.reversed;
    if (config_.order == TrackOrder::alternating && backwards) head = heads - 1 - head;
  } else {
    const std::int64_t band = track / (config_.band_cylinders * heads);
    const std::int64_t first = band * config_.band_cylinders;
    const std::int64_t width =
        std::min<std::int64_t>(config_.band_cylinders, zone.cylinders - first);
    const std::int64_t in_band = track - first * heads;
    head = in_band / width;
    const std::int64_t step = in_band % width;
    cylinder = first + (head % 2 == 0 ? step : width - 1 - step);
    const std::int64_t switches = band * (heads - 1) + head;
    skew += (track - switches) * zone.cylinder_skew + switches * zone.track_skew;
  }
  const auto number = static_cast<std::int32_t>(place.physical - track_start);
  const std::int64_t on_track = zone.sectors_per_track - number;
  const std::int64_t run = std::min({place.from, on_track, zone_ends_[number_of_zone] - sector});
  return {zone.first_cylinder + static_cast<std::int32_t>(cylinder),
          static_cast<std::int32_t>(head),
          number,
          zone.sectors_per_track,
          static_cast<std::int32_t>((skew + number) % zone.sectors_per_track),
          static_cast<std::int32_t>(std::min<std::int64_t>(place.before, number)),
          static_cast<std::int32_t>(run)};
}

// The logical sectors between two physical ones of a zone.
SectorRange DiskGeometry::between(std::size_t zone, std::int64_t first, std::int64_t last) const {
  const std::int64_t start = zones_[zone].first_sector;
  const ZoneMap& map = maps_[zone];
  return {start + map.logical_before(first),
          std::min(start + map.logical_before(last), zone_ends_[zone])};
}

SectorRange DiskGeometry::track_of(std::int64_t sector) const {
  const std::size_t zone = zone_of(sector);
  const std::int64_t size = zones_[zone].sectors_per_track;
  const std::int64_t physical = maps_[zone].find(sector - zones_[zone].first_sector).physical;
  const std::int64_t start = physical / size * size;
  return between(zone, start, start + size);
}

SectorRange DiskGeometry::cylinder_of(std::int64_t sector) const {
  const std::size_t zone = zone_of(sector);
  const std::int64_t size = std::int64_t{zones_[zone].sectors_per_track} * config_.heads;
  const std::int64_t physical = maps_[zone].find(sector - zones_[zone].first_sector).physical;
  const std::int64_t start = physical / size * size;
  return between(zone, start, start + size);
}

Bandwidth DiskGeometry::sustained_rate(const Zone& zone) const {
  const bool by_cylinder = config_.order != TrackOrder::band;
  const double tracks = by_cylinder ? config_.heads : config_.band_cylinders;
  const double often = by_cylinder ? zone.track_skew : zone.cylinder_skew;
  const double once = by_cylinder ? zone.cylinder_skew : zone.track_skew;
  const double count = zone.sectors_per_track;
  const double turns = 1 + ((tracks - 1) * often + once) / tracks / count;
  return Bandwidth{512 * count / (seconds(revolution_) * turns)};
}

}  // namespace copysim
