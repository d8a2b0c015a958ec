#include <copysim/models/storage/seek_curve.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <copysim/error.hpp>

namespace copysim {

namespace {

double ns(Duration d) {
  return static_cast<double>(d.count());
}

Duration rounded(double nanoseconds) {
  return Duration{std::llround(nanoseconds)};
}

}  // namespace

std::string_view to_string(SeekCurveKind kind) {
  switch (kind) {
    case SeekCurveKind::data_sheet:
      return "data-sheet";
    case SeekCurveKind::two_piece:
      return "two-piece";
    case SeekCurveKind::table:
      return "table";
  }
  return "?";
}

SeekCurve::SeekCurve(Config config, std::int32_t cylinders)
    : config_{std::move(config)}, full_span_{std::max(1.0, cylinders - 2.0)} {
  if (config_.kind == SeekCurveKind::table && config_.points.empty())
    throw ConfigError{"hard-disk", "seek.points must not be empty with seek.kind \"table\""};
  if (config_.kind != SeekCurveKind::data_sheet) return;
  track_ = ns(config_.track_to_track);
  root_ = 5 * ns(config_.average) - 5.0 / 3 * ns(config_.full_stroke) - 10.0 / 3 * track_;
  linear_ = ns(config_.full_stroke) - track_ - root_;
  // Rising everywhere needs B >= 0 and, at the full stroke, A + B / 2 >= 0.
  if (root_ < 0 || linear_ + root_ / 2 < 0)
    throw ConfigError{"hard-disk",
                      "seek.average must fit between seek.track_to_track and seek.full_stroke so "
                      "that the time rises with the distance, got " +
                          std::to_string(config_.average.count()) + " ns"};
}

Duration SeekCurve::time(std::int32_t distance) const {
  if (distance <= 0) return Duration{};
  if (config_.kind == SeekCurveKind::table) return from_table(distance);
  if (config_.kind == SeekCurveKind::two_piece) {
    const double d = distance;
    if (distance <= config_.limit)
      return rounded(ns(config_.root_constant) + ns(config_.root_factor) * std::sqrt(d));
    return rounded(ns(config_.line_constant) + ns(config_.line_factor) * d);
  }
  const double x = (distance - 1) / full_span_;
  return rounded(track_ + linear_ * x + root_ * std::sqrt(x));
}

Duration SeekCurve::from_table(std::int32_t distance) const {
  const auto& points = config_.points;
  const auto next = std::lower_bound(
      points.begin(), points.end(), distance,
      [](const Point& point, std::int32_t value) { return point.distance < value; });
  if (next == points.begin() || points.size() == 1) return points.front().time;
  // Beyond the last point the last line goes on.
  const auto right = next == points.end() ? next - 1 : next;
  const Point& left = *(right - 1);
  const double part =
      static_cast<double>(distance - left.distance) / (right->distance - left.distance);
  return rounded(ns(left.time) + part * ns(right->time - left.time));
}

}  // namespace copysim
