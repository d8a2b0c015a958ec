#include <string>
#include <vector>

#include <copysim/lib/published.hpp>
#include <copysim/lib/scenario.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

void resolve(const CopyCell& cell) {
  std::vector<std::string> settings;
  for (const auto& [key, value] : cell.settings) settings.push_back(key + "=" + value);
  static_cast<void>(load_scenario(cell.scenario).with(settings).resolve());
}

}  // namespace

TEST_CASE("Every copy that a published row rests on is a scenario with valid settings",
          "[published]") {
  for (const PublishedSource& source : published_sources()) {
    for (const PublishedRow& row : source.rows) {
      if (!row.plan) continue;
      INFO(row.id);
      for (const CopyCell& cell : row.plan->a) CHECK_NOTHROW(resolve(cell));
      for (const CopyCell& cell : row.plan->b) CHECK_NOTHROW(resolve(cell));
    }
  }
}
