#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <copysim/lib/explain.hpp>

#include "report_text.hpp"

namespace copysim {

namespace {

using detail::rounded;

// Okabe and Ito's colours, which colour-blind people can tell apart, and tints of them.
constexpr std::array colours{"#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9",
                             "#D55E00", "#F0E442", "#999999", "#66AACF", "#F2C566",
                             "#66C4AB", "#E0AFCA", "#9AD2F2", "#E69E66", "#F6EF8E"};

using Part = std::pair<std::string, Duration>;

// Component and activity, without the constraint: what a colour stands for.
std::vector<Part> parts_of(const Explanation& explanation) {
  std::vector<Part> parts;
  for (const PathRow& row : explanation.paths.elapsed) {
    const std::string name = row.component.empty() ? "other" : row.component + " " + row.activity;
    const auto found = std::ranges::find(parts, name, &Part::first);
    if (found == parts.end()) {
      parts.emplace_back(name, row.duration);
    } else {
      found->second += row.duration;
    }
  }
  std::ranges::sort(parts, [](const Part& a, const Part& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return parts;
}

std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

void write_label(std::ostream& out, double x, double y, const std::string& text,
                 const char* anchor = "start") {
  out << "<text x=\"" << rounded(x, 5) << "\" y=\"" << rounded(y, 5) << "\" text-anchor=\""
      << anchor << "\">" << xml_text(text) << "</text>\n";
}

}  // namespace

void draw_explanations(std::ostream& out, const std::vector<Explanation>& explanations) {
  constexpr double top = 40;
  constexpr double height = 360;
  constexpr double bar = 90;
  constexpr double pitch = 150;
  constexpr double left = 30;
  constexpr double line = 18;
  // A part below this share of the highest bar is drawn with all other small ones.
  constexpr double smallest_share = 0.004;

  double longest = 0;
  for (const Explanation& e : explanations) longest = std::max(longest, seconds(e.result.elapsed));
  if (longest <= 0) longest = 1;

  std::vector<std::string> names;  // in the order of their colours
  std::vector<std::vector<Part>> stacks;
  for (const Explanation& e : explanations) {
    std::vector<Part> stack;
    Duration rest{};
    for (const Part& part : parts_of(e)) {
      const bool small = seconds(part.second) < smallest_share * longest;
      if (small || (std::ranges::find(names, part.first) == names.end() &&
                    names.size() + 1 == colours.size())) {
        rest += part.second;
        continue;
      }
      if (std::ranges::find(names, part.first) == names.end()) names.push_back(part.first);
      stack.push_back(part);
    }
    if (rest > Duration{}) stack.emplace_back("everything else", rest);
    stacks.push_back(std::move(stack));
  }
  names.emplace_back("everything else");

  const double legend = left + pitch * static_cast<double>(explanations.size());
  const double bottom = std::max(top + height, line * static_cast<double>(names.size()) + top);
  out << R"(<svg xmlns="http://www.w3.org/2000/svg" width=")" << rounded(legend + 330, 5)
      << "\" height=\"" << rounded(bottom + 60, 5)
      << "\" font-family=\"sans-serif\" font-size=\"13\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  const auto colour = [&](const std::string& name) {
    const auto index = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    return index + 1 == names.size() ? "#DDDDDD" : colours[index];
  };
  for (std::size_t i = 0; i < explanations.size(); ++i) {
    const double x = left + pitch * static_cast<double>(i);
    double y = top + height;
    for (const auto& [name, duration] : stacks[i]) {
      const double part = height * seconds(duration) / longest;
      y -= part;
      out << "<rect x=\"" << rounded(x, 5) << "\" y=\"" << rounded(y, 6) << "\" width=\"" << bar
          << "\" height=\"" << rounded(part, 6) << "\" fill=\"" << colour(name) << "\"><title>"
          << xml_text(name) << ": " << rounded(seconds(duration)) << " s</title></rect>\n";
    }
    write_label(out, x + bar / 2, y - 6, rounded(seconds(explanations[i].result.elapsed)) + " s",
                "middle");
    write_label(out, x + bar / 2, top + height + 18, explanations[i].policy, "middle");
    write_label(out, x + bar / 2, top + height + 36, explanations[i].scenario, "middle");
  }
  double y = top;
  for (const std::string& name : names) {
    out << "<rect x=\"" << rounded(legend, 5) << "\" y=\"" << rounded(y - 11, 5)
        << R"(" width="12" height="12" fill=")" << colour(name) << "\"/>\n";
    write_label(out, legend + 20, y, name);
    y += line;
  }
  out << "</svg>\n";
}

}  // namespace copysim
