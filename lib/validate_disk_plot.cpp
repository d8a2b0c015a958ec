#include <algorithm>
#include <cmath>
#include <sstream>

#include <copysim/lib/validate_disk_command.hpp>

#include "report_text.hpp"

namespace copysim {

namespace {

// The drawing area in pixels.
constexpr double left = 60;
constexpr double right = 700;
constexpr double top = 40;
constexpr double bottom = 400;
constexpr int most_steps = 400;  // points of a curve

double ms(Duration time) {
  return seconds(time) * 1000;
}

// A round number of ms so that about six ticks span `range`.
double tick_step(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / 6)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (range / (power * factor) <= 8) return power * factor;
  return power * 10;
}

std::string px(double value) {
  return detail::rounded(value, 5);
}

std::string xml_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else
      result += c;
  }
  return result;
}

class Plot {
public:
  explicit Plot(double most_ms) : most_ms_{std::max(most_ms, 0.001)} {}

  void axes(const std::string& title) {
    out_ << R"(<svg xmlns="http://www.w3.org/2000/svg" width="740" height="460")"
         << " font-family=\"sans-serif\" font-size=\"12\">\n"
         << "<rect width=\"740\" height=\"460\" fill=\"white\"/>\n";
    text(left, 24, "start", title);
    const double step = tick_step(most_ms_);
    for (double tick = 0; tick <= most_ms_; tick += step) {
      line(x(tick), top, x(tick), bottom, "#dddddd");
      text(x(tick), bottom + 18, "middle", detail::rounded(tick));
    }
    for (int percent = 0; percent <= 100; percent += 20) {
      line(left, y(percent / 100.0), right, y(percent / 100.0), "#dddddd");
      text(left - 8, y(percent / 100.0) + 4, "end", std::to_string(percent) + " %");
    }
    text((left + right) / 2, bottom + 40, "middle", "service time (ms)");
  }

  void curve(std::vector<Duration> times, const std::string& name, const std::string& colour,
             double label_y) {
    std::sort(times.begin(), times.end());
    out_ << R"(<polyline fill="none" stroke-width="1.5" stroke=")" << colour << "\" points=\"";
    const std::size_t step = std::max<std::size_t>(1, times.size() / most_steps);
    for (std::size_t i = 0; i < times.size(); i += step) point(times, i);
    point(times, times.size() - 1);
    out_ << "\"/>\n";
    line(right - 130, label_y - 4, right - 105, label_y - 4, colour);
    text(right - 98, label_y, "start", name);
  }

  std::string finish() {
    out_ << "</svg>\n";
    return out_.str();
  }

private:
  [[nodiscard]] double x(double milliseconds) const {
    return left + (right - left) * milliseconds / most_ms_;
  }
  [[nodiscard]] static double y(double part) { return bottom - (bottom - top) * part; }

  void point(const std::vector<Duration>& times, std::size_t i) {
    const double part = static_cast<double>(i + 1) / static_cast<double>(times.size());
    out_ << px(x(ms(times[i]))) << ',' << px(y(part)) << ' ';
  }
  void line(double x1, double y1, double x2, double y2, const std::string& colour) {
    out_ << "<line x1=\"" << px(x1) << "\" y1=\"" << px(y1) << "\" x2=\"" << px(x2) << "\" y2=\""
         << px(y2) << "\" stroke=\"" << colour << "\"/>\n";
  }
  void text(double at_x, double at_y, const std::string& anchor, const std::string& content) {
    out_ << "<text x=\"" << px(at_x) << "\" y=\"" << px(at_y) << "\" text-anchor=\"" << anchor
         << "\">" << xml_text(content) << "</text>\n";
  }

  double most_ms_;
  std::ostringstream out_;
};

}  // namespace

std::string plot_disk_validation(const DiskValidation& result) {
  double most = 0;
  for (const Duration time : result.modelled) most = std::max(most, ms(time));
  for (const Duration time : result.measured) most = std::max(most, ms(time));
  Plot plot{most};
  plot.axes(result.drive + ": " + std::to_string(result.requests()) + " requests");
  if (!result.measured.empty()) plot.curve(result.measured, "measured", "#d95f02", bottom - 40);
  plot.curve(result.modelled, "modelled", "#1b6ca8", bottom - 20);
  return plot.finish();
}

}  // namespace copysim
