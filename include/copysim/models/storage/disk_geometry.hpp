#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/zone_sparing.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The unit in which a disk stores data.
inline constexpr Bytes sector_size{512};

/// In which order the logical blocks run over the tracks of a zone.
enum class TrackOrder : std::uint8_t {
  cylinder,     ///< all heads of a cylinder, then the next cylinder (drives up to about 2005)
  band,         ///< a band of cylinders on one surface, then back on the next surface (serpentine)
  alternating,  ///< like `cylinder`, but every other cylinder from the last head to the first
};
[[nodiscard]] std::string_view to_string(TrackOrder order);
[[nodiscard]] constexpr auto all_values(TrackOrder /*kind*/) {
  return std::array{TrackOrder::cylinder, TrackOrder::band, TrackOrder::alternating};
}

/// A run of cylinders with the same number of sectors on each track.
struct Zone {
  std::int64_t first_sector = 0;  ///< logical number of its first sector
  std::int64_t sectors = 0;       ///< logical sectors in it
  std::int32_t first_cylinder = 0;
  std::int32_t cylinders = 0;
  std::int32_t sectors_per_track = 0;
  std::int32_t track_skew = 0;     ///< sectors by which the next surface is turned
  std::int32_t cylinder_skew = 0;  ///< sectors by which the next cylinder is turned
  std::int32_t first_angle = 0;    ///< sectors between the index mark and its first sector
  bool reversed = false;           ///< `alternating` only: its first cylinder runs backwards
  ZoneSparing sparing{};
};

/// Where a logical sector lies.
struct SectorPosition {
  std::int32_t cylinder = 0;
  std::int32_t head = 0;
  std::int32_t sector = 0;             ///< number on its track, in logical order
  std::int32_t sectors_per_track = 0;  ///< of its track
  std::int32_t angle = 0;              ///< sectors between the index mark and it, with all skews
  std::int32_t before = 0;  ///< logical sectors right before it on its track, without a gap
  std::int32_t run = 0;     ///< logical sectors from it on along its track, without a gap
};

/// A range of logical sectors, `end` excluded.
struct SectorRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] constexpr std::int64_t size() const { return end - begin; }
  [[nodiscard]] constexpr bool empty() const { return end <= begin; }
  [[nodiscard]] constexpr bool overlaps(const SectorRange& other) const {
    return begin < other.end && other.begin < end;
  }
};

/// Maps logical sectors to cylinders, heads and angles of a disk with zoned recording.
///
/// From a data sheet: the sustained rate R of a zone counts the switches between tracks,
///   R = 512 n H / (H rev + (H - 1) track skew + cylinder skew)
/// (Hitachi, Deskstar 7K500 specification 2005, section 4.4.4), so n, the sectors per track,
/// follows from the rates of the outermost and the innermost zone; the zones between get evenly
/// falling n and equally many cylinders, as many as the capacity needs. Drives whose zones are
/// known give them in `zone_table`, with spare sectors and slipped or replaced defects.
class DiskGeometry {
public:
  struct Config {
    int rpm = 7200;                  ///< spindle speed
    Bytes capacity{80'026'361'856};  ///< as the data sheet's number of sectors says
    int heads = 2;                   ///< recorded surfaces
    Bandwidth outer_rate{58e6};      ///< sustained; Barracuda 7200.7 (row SEA-06)
    Bandwidth inner_rate{29e6};      ///< sustained; half the outer (mechanisms.md 8.4: 0.48)
    int zones = 16;                  ///< 8 to 30 in specifications of the time
    TrackOrder order = TrackOrder::cylinder;
    int band_cylinders = 64;         ///< `band` order only; not published by any vendor
    Duration track_skew{};           ///< 0: as long as a head switch before a write
    Duration cylinder_skew{};        ///< 0: as long as a seek of one cylinder before a write
    std::vector<Zone> zone_table{};  ///< instead of capacity, rates and zones

    static constexpr auto parameters = std::tuple{
        parameter("rpm", &Config::rpm, "revolutions per minute", between(1000, 20000)),
        parameter("capacity", &Config::capacity, "size of the disk", at_least(1_MiB)),
        parameter("heads", &Config::heads, "recorded surfaces", between(1, 64)),
        parameter("outer_rate", &Config::outer_rate, "sustained rate of the outermost zone"),
        parameter("inner_rate", &Config::inner_rate, "sustained rate of the innermost zone"),
        parameter("zones", &Config::zones, "number of recording zones", between(1, 256)),
        parameter("order", &Config::order, "order of the tracks: cylinder, band or alternating"),
        parameter("band_cylinders", &Config::band_cylinders, "cylinders of a band", at_least(1)),
        parameter("track_skew", &Config::track_skew, "0 s: head switch and write settling",
                  at_least(Duration{})),
        parameter("cylinder_skew", &Config::cylinder_skew,
                  "0 s: one-cylinder seek and write settling", at_least(Duration{})),
    };
  };

  /// \throws ConfigError if the values do not describe a disk.
  explicit DiskGeometry(Config config);

  [[nodiscard]] Duration revolution() const { return revolution_; }
  [[nodiscard]] std::int64_t sectors() const { return sectors_; }
  [[nodiscard]] std::int32_t cylinders() const { return cylinders_; }
  [[nodiscard]] std::int32_t heads() const { return config_.heads; }
  [[nodiscard]] const std::vector<Zone>& zones() const { return zones_; }

  /// \pre 0 <= `sector` < `sectors()`.
  [[nodiscard]] SectorPosition locate(std::int64_t sector) const;
  /// The logical sectors on the track of `sector`.
  [[nodiscard]] SectorRange track_of(std::int64_t sector) const;
  /// The logical sectors on the cylinder of `sector`.
  /// \pre the order is not `band`.
  [[nodiscard]] SectorRange cylinder_of(std::int64_t sector) const;
  /// The rate of a long sequential access in this zone, by the equation above.
  [[nodiscard]] Bandwidth sustained_rate(const Zone& zone) const;

private:
  void check() const;
  void build_zones();
  void index_zones();
  void add_zone(std::int32_t cylinders, std::int32_t sectors_per_track);
  [[nodiscard]] std::size_t zone_of(std::int64_t sector) const;
  [[nodiscard]] SectorRange between(std::size_t zone, std::int64_t first, std::int64_t last) const;
  [[nodiscard]] double mean_skew_in_revolutions() const;

  Config config_;
  Duration revolution_;
  std::vector<Zone> zones_;
  std::vector<std::int64_t> zone_ends_;  // searched by `zone_of`
  std::vector<ZoneMap> maps_;            // of each zone
  std::int64_t sectors_ = 0;
  std::int32_t cylinders_ = 0;
};

}  // namespace copysim
