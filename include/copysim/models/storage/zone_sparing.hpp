#pragma once

#include <cstdint>
#include <vector>

namespace copysim {

/// Where a zone keeps spare space, and which physical places were left out or replaced at the
/// factory.
///
/// Physical sectors of a zone are numbered in the order of its tracks. A zone falls into regions (a
/// track, a cylinder, some cylinders, or the whole zone), each with spare sectors at its end or
/// front. A slipped place holds no data: all that follow move up by one, to the region's spares, or
/// with `slip_to_end` to the end of the zone. A remapped place keeps its number, but its data are
/// elsewhere. These are the schemes of DiskSim's drives (diskmodel, layout G1).
struct ZoneSparing {
  struct Remap {
    std::int64_t from = 0;  ///< physical sector
    std::int64_t to = 0;    ///< physical sector that replaces it
  };

  std::int64_t region_sectors = 0;  ///< physical sectors of a region; 0: the whole zone
  std::int64_t spares = 0;          ///< sectors kept free in each region; irrelevant for one region
  bool spares_in_front = false;     ///< at the front of each region, not at its end
  bool slip_to_end = false;         ///< slips go on to the zone's end
  bool slips_turn = false;          ///< slips turn the tracks behind them by a sector each
  std::int64_t unit = 1;            ///< sectors that are slipped at once: a track with spare tracks
  std::int64_t reserved = 0;        ///< sectors at the zone's front that hold no user data
  std::vector<std::int64_t> slips{};  ///< slipped units by number, ascending
  std::vector<Remap> remaps{};        ///< ascending by `from`

  [[nodiscard]] bool operator==(const ZoneSparing& other) const = default;
};

/// Finds the physical place of a logical sector of one zone.
class ZoneMap {
public:
  /// A physical place, and how many logical sectors lie around it without a gap.
  struct Place {
    std::int64_t physical = 0;
    std::int64_t before = 0;  ///< logical sectors right before it, physically adjacent
    std::int64_t from = 0;    ///< logical sectors from it on, physically adjacent, itself included
  };

  ZoneMap() = default;
  /// \pre slips and remaps are ascending.
  explicit ZoneMap(ZoneSparing sparing);

  /// The place of logical sector `index` of the zone; the runs may cross tracks.
  [[nodiscard]] Place find(std::int64_t index) const;
  /// How many logical sectors lie before the physical sector `physical`.
  [[nodiscard]] std::int64_t logical_before(std::int64_t physical) const;
  /// Sectors by which slips have turned the track that begins at `physical`, where they do.
  [[nodiscard]] std::int64_t turned_before(std::int64_t physical) const;

private:
  [[nodiscard]] std::int64_t slips_below(std::int64_t unit) const;
  [[nodiscard]] Place between_remaps(Place place) const;

  ZoneSparing sparing_;
  std::vector<std::int64_t> slips_;    // in the numbering that slipping counts in
  std::vector<std::int64_t> shifted_;  // slip i less i: how many units lie before it
  bool one_region_ = true;
};

}  // namespace copysim
