#include <algorithm>
#include <cmath>
#include <sstream>

#include <copysim/lib/catalogue.hpp>

#include "drive_parts.hpp"

namespace copysim::disksim {

namespace {

using Points = std::vector<SeekCurve::Point>;

double ms(Duration time) {
  return seconds(time) * 1000;
}

SeekCurve::Point point(std::int64_t distance, double milliseconds) {
  return {static_cast<int>(distance), from_seconds(milliseconds / 1000)};
}

// Three points with straight lines between them: one cylinder, a third of the stroke, all of it.
Points linear(const BlockReader& block, std::int64_t cylinders) {
  return {point(1, ms(block.time("Single cylinder seek time"))),
          point(std::max<std::int64_t>(2, cylinders / 3), ms(block.time("Average seek time"))),
          point(std::max<std::int64_t>(3, cylinders - 1), ms(block.time("Full strobe seek time")))};
}

// a sqrt(d - 1) + b (d - 1) + c through the same three times (Lee and Katz 1993).
Points curve(const BlockReader& block, std::int64_t cylinders) {
  const double one = ms(block.time("Single cylinder seek time"));
  const double average = ms(block.time("Average seek time"));
  const double full = ms(block.time("Full strobe seek time"));
  const auto c = static_cast<double>(cylinders);
  const double a = (-10 * one + 15 * average - 5 * full) / (3 * std::sqrt(c));
  const double b = (7 * one - 15 * average + 8 * full) / (3 * c);
  if (a < 0 || b < 0) return linear(block, cylinders);  // as DiskSim: the curve would fall
  Points points;
  for (std::int64_t d = 1; d < cylinders; ++d) {
    const auto x = static_cast<double>(d - 1);
    points.push_back(point(d, a * std::sqrt(x) + b * x + one));
  }
  return points;
}

// Ruemmler and Wilkes (1994): c1 + f1 sqrt(d) below a limit, c2 + f2 d from there on; the first
// distances may have times of their own.
Points two_piece(const BlockReader& block, std::int64_t cylinders,
                 const std::vector<double>& first) {
  const std::vector<double> v = block.numbers("HPL seek equation values");
  if (v.size() != 6) block.fail("HPL seek equation values", "must be six numbers");
  Points points;
  for (std::int64_t d = 1; d < cylinders; ++d) {
    const auto x = static_cast<double>(d);
    double time = x < v[0] ? v[1] + v[2] * std::sqrt(x) : v[3] + v[4] * x;
    if (d <= static_cast<std::int64_t>(first.size()))
      time = first[static_cast<std::size_t>(d - 1)];
    else if (d == 1 && v[5] >= 0)
      time = v[5];
    points.push_back(point(d, time));
  }
  return points;
}

Points seek_points(const BlockReader& block, std::int64_t cylinders) {
  const std::string type = block.text("Seek type");
  if (type == "constant") return {point(1, ms(block.time("Constant seek time")))};
  if (type == "linear") return linear(block, cylinders);
  if (type == "curve") return curve(block, cylinders);
  if (type == "hpl") return two_piece(block, cylinders, {});
  if (type == "hplplus10") {
    const std::vector<double> first = block.numbers("First ten seek times");
    if (first.size() != 10) block.fail("First ten seek times", "must be ten numbers");
    return two_piece(block, cylinders, first);
  }
  if (type != "extracted")
    block.fail("Seek type",
               "must be one of constant, linear, curve, hpl, hplplus10, extracted, "
               "got '" +
                   type + "'");
  const std::string name = block.text("Full seek curve");
  return read_seek_file(file_beside(block.place("Full seek curve"), name));
}

}  // namespace

Points read_seek_file(const std::string& path) {
  const std::string text = read_text_file(path);
  Place place{std::make_shared<const std::string>(path), 0};
  require_text(text, place.file);
  std::istringstream file{text};
  Points points;
  std::int64_t promised = 0;
  for (std::string line; std::getline(file, line);) {
    ++place.line;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::istringstream first_line{line};
    std::string words[3];
    first_line >> words[0] >> words[1] >> words[2];
    if (words[0] == "Seek" && words[1] == "distances" && words[2] == "measured:") {
      first_line >> promised;
      continue;
    }
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields{line};
    std::int64_t distance = 0;
    double time = 0;
    if (!(fields >> distance >> time) || distance < 1 || distance > 10'000'000 || time < 0 ||
        time > 60'000)
      place.fail("a line must be a distance in cylinders and a time in ms, got '" + line + "'");
    if (!points.empty() && distance <= points.back().distance)
      place.fail("distances must rise, got " + std::to_string(distance));
    points.push_back(point(distance, time));
  }
  place.line = std::max(place.line, 1);  // of an empty file
  if (points.empty()) place.fail("a seek curve must have a point");
  if (promised != 0 && promised != static_cast<std::int64_t>(points.size()))
    place.fail("the curve must have the " + std::to_string(promised) +
               " distances that its first line promises, got " + std::to_string(points.size()));
  return points;
}

void read_mechanics(const BlockReader& model, HardDisk::Config& config) {
  const BlockReader block = model.child("Mechanical Model");
  if (block.block().type != "dm_mech_g1")
    model.fail("Mechanical Model", "must be a dm_mech_g1, got '" + block.block().type + "'");
  const std::string access = block.text("Access time type");
  if (access != "trackSwitchPlusRotation")
    block.fail("Access time type", "must be trackSwitchPlusRotation, got '" + access + "'");
  const std::int64_t cylinders = model.integer("Number of cylinders", 1, 10'000'000);
  config.geometry.rpm = static_cast<int>(block.integer("Rotation speed (in rpms)", 1, 100'000));
  config.head_switch = block.time("Head switch time");
  config.write_settle = block.time_difference("Add. write settling delay");
  config.seek.kind = SeekCurveKind::table;
  config.seek.points = seek_points(block, cylinders);
}

}  // namespace copysim::disksim
