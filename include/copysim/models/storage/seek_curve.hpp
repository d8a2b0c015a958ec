#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// How the seek time depends on the distance.
enum class SeekCurveKind : std::uint8_t { data_sheet, two_piece, table };
[[nodiscard]] std::string_view to_string(SeekCurveKind kind);
[[nodiscard]] constexpr auto all_values(SeekCurveKind /*kind*/) {
  return std::array{SeekCurveKind::data_sheet, SeekCurveKind::two_piece, SeekCurveKind::table};
}

/// The time that the arm needs to move over a number of cylinders, settling included.
///
/// `data_sheet`: T(d) = t + A x + B sqrt(x) with x = (d - 1) / (D - 1), D the full stroke. Vendors
///   average over all pairs of cylinders (Hitachi 5K320 specification, 4.4.2.1), for which the mean
///   of x is 1/3 and that of sqrt(x) 8/15. Hence B = 5 average - 5/3 full - 10/3 t, A = full - t -
///   B.
/// `two_piece`: c1 + f1 sqrt(d) up to a limit, c2 + f2 d beyond (Ruemmler and Wilkes 1994).
/// `table`: measured points, straight lines between them and beyond the last.
class SeekCurve {
public:
  struct Point {
    int distance = 0;
    Duration time{};
  };
  struct Config {
    SeekCurveKind kind = SeekCurveKind::data_sheet;
    Duration track_to_track = 800us;  ///< typical 7200 rpm drive (mechanisms.md 14, disk.7200)
    Duration average = 8500us;        ///< likewise
    Duration full_stroke = 17ms;      ///< likewise
    // The two-piece defaults are the HP 97560's (Ruemmler and Wilkes 1994).
    int limit = 383;  ///< longest distance of the square root
    Duration root_constant = 3240us;
    Duration root_factor = 400us;  ///< times the square root of the distance
    Duration line_constant = 8000us;
    Duration line_factor = 8us;   ///< times the distance
    std::vector<Point> points{};  ///< of `table`, by increasing distance

    static constexpr auto parameters = std::tuple{
        parameter("kind", &Config::kind, "data-sheet, two-piece or table"),
        parameter("track_to_track", &Config::track_to_track, "time over one cylinder",
                  at_least(Duration{})),
        parameter("average", &Config::average, "mean over all pairs of cylinders",
                  at_least(Duration{})),
        parameter("full_stroke", &Config::full_stroke, "time from the first cylinder to the last",
                  at_least(Duration{})),
        parameter("limit", &Config::limit, "two-piece: longest distance of the square root"),
        parameter("root_constant", &Config::root_constant, "two-piece: constant of the short seek"),
        parameter("root_factor", &Config::root_factor, "two-piece: factor of the square root"),
        parameter("line_constant", &Config::line_constant, "two-piece: constant of the long seek"),
        parameter("line_factor", &Config::line_factor, "two-piece: time per cylinder"),
    };
  };

  /// \throws ConfigError if the curve would fall with the distance.
  SeekCurve(Config config, std::int32_t cylinders);

  /// The time to move over `distance` cylinders; 0 for 0.
  [[nodiscard]] Duration time(std::int32_t distance) const;

private:
  [[nodiscard]] Duration from_table(std::int32_t distance) const;

  Config config_;
  double track_ = 0;  // t, A, B in ns
  double linear_ = 0;
  double root_ = 0;
  double full_span_ = 1;  // D - 1
};

}  // namespace copysim
