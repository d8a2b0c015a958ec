#include <copysim/models/storage/zone_sparing.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace copysim {

namespace {

constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 4;

// The number of entries of the ascending `values` that are below `value`.
std::int64_t count_below(const std::vector<std::int64_t>& values, std::int64_t value) {
  return std::lower_bound(values.begin(), values.end(), value) - values.begin();
}

}  // namespace

// Slips that go on to the zone's end, and those of a zone of one region, count in units without
// spares ("usable"); the others count physical sectors.
ZoneMap::ZoneMap(ZoneSparing sparing)
    : sparing_{std::move(sparing)},
      slips_{sparing_.slips},
      one_region_{sparing_.region_sectors == 0 || sparing_.slip_to_end} {
  if (sparing_.slip_to_end && sparing_.region_sectors > 0) {
    const std::int64_t front = sparing_.spares_in_front ? sparing_.spares : 0;
    for (std::int64_t& slip : slips_) {
      const std::int64_t region = slip / sparing_.region_sectors;
      slip -= region * sparing_.spares + front;
    }
  }
  for (std::size_t i = 0; i < slips_.size(); ++i)
    shifted_.push_back(slips_[i] - static_cast<std::int64_t>(i));
}

std::int64_t ZoneMap::slips_below(std::int64_t unit) const {
  return count_below(slips_, unit);
}

ZoneMap::Place ZoneMap::find(std::int64_t index) const {
  const std::int64_t region = sparing_.region_sectors;
  const std::int64_t usable = region - sparing_.spares;
  const std::int64_t front = sparing_.spares_in_front ? sparing_.spares : 0;
  const std::int64_t x = index + sparing_.reserved;
  Place place{.physical = x, .before = index, .from = far};

  std::int64_t base = 0;  // where the region's slips begin to count
  std::int64_t in_region = x;
  if (!one_region_) {
    base = x / usable * region + front;
    in_region = x % usable;
    place.before = std::min(place.before, in_region);
    place.from = usable - in_region;
    place.physical = base + in_region;
  }
  if (!slips_.empty()) {
    const std::int64_t first = one_region_ ? 0 : slips_below(base);
    const std::int64_t unit = (base + in_region) / sparing_.unit;
    const auto slip = [this](std::int64_t i) { return slips_[static_cast<std::size_t>(i)]; };
    const auto past = std::upper_bound(shifted_.begin() + first, shifted_.end(), unit - first);
    const std::int64_t next = past - shifted_.begin();
    place.physical += (next - first) * sparing_.unit;
    if (next > first)
      place.before = std::min(place.before, place.physical - (slip(next - 1) + 1) * sparing_.unit);
    if (past != shifted_.end())
      place.from = std::min(place.from, slip(next) * sparing_.unit - place.physical);
  }
  if (sparing_.slip_to_end && region > 0) {
    const std::int64_t here = place.physical % usable;
    place.before = std::min(place.before, here);
    place.from = std::min(place.from, usable - here);
    place.physical = place.physical / usable * region + front + here;
  }
  return sparing_.remaps.empty() ? place : between_remaps(place);
}

// A remapped sector lies alone; the runs around it end there.
ZoneMap::Place ZoneMap::between_remaps(Place place) const {
  const auto next =
      std::lower_bound(sparing_.remaps.begin(), sparing_.remaps.end(), place.physical,
                       [](const auto& remap, std::int64_t at) { return remap.from < at; });
  if (next != sparing_.remaps.end() && next->from == place.physical)
    return {.physical = next->to, .before = 0, .from = 1};
  if (next != sparing_.remaps.end()) place.from = std::min(place.from, next->from - place.physical);
  if (next != sparing_.remaps.begin())
    place.before = std::min(place.before, place.physical - (next - 1)->from - 1);
  return place;
}

std::int64_t ZoneMap::logical_before(std::int64_t physical) const {
  const std::int64_t region = sparing_.region_sectors;
  const std::int64_t usable = region - sparing_.spares;
  const std::int64_t front = sparing_.spares_in_front ? sparing_.spares : 0;
  std::int64_t x = physical;
  if (one_region_) {
    if (region > 0)
      x = physical / region * usable +
          std::clamp<std::int64_t>(physical % region - front, 0, usable);
    x -= slips_below((x + sparing_.unit - 1) / sparing_.unit) * sparing_.unit;
  } else {
    const std::int64_t base = physical / region * region + front;
    const std::int64_t slipped = slips_below(physical) - slips_below(base);
    x = physical / region * usable + std::clamp<std::int64_t>(physical - base - slipped, 0, usable);
  }
  return std::max<std::int64_t>(0, x - sparing_.reserved);
}

std::int64_t ZoneMap::turned_before(std::int64_t physical) const {
  return sparing_.slips_turn ? count_below(sparing_.slips, physical) : 0;
}

}  // namespace copysim
