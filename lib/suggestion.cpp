#include <algorithm>
#include <cstddef>
#include <numeric>

#include <copysim/lib/settings_reader.hpp>

namespace copysim {

namespace {

// Levenshtein's distance: how many letters to insert, delete or replace.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

std::string_view last_part(std::string_view key) {
  const auto dot = key.rfind('.');
  return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

}  // namespace

std::string suggestion(std::string_view wrong, std::span<const std::string> known) {
  const std::string* best = nullptr;
  // Up to a third of the letters may be wrong.
  std::size_t least = wrong.size() / 3 + 1;
  for (const std::string& candidate : known) {
    const std::size_t changes = distance(wrong, candidate);
    if (changes < least) {
      least = changes;
      best = &candidate;
    }
  }
  // A key without its table, or in the wrong one.
  for (const std::string& candidate : known) {
    if (best == nullptr && last_part(candidate) == last_part(wrong)) best = &candidate;
  }
  return best == nullptr ? std::string{} : "; did you mean '" + *best + "'?";
}

std::string joined(std::span<const std::string> texts) {
  std::string all;
  for (const std::string& text : texts) {
    if (!all.empty()) all += ", ";
    all += text;
  }
  return all;
}

}  // namespace copysim
