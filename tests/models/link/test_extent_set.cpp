#include <copysim/models/link/extent_set.hpp>

#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("ExtentSet merges neighbours and tells what is new", "[link]") {
  ExtentSet set;
  CHECK(set.add({10_B, 10_B}) == std::vector<Extent>{{10_B, 10_B}});
  CHECK(set.add({30_B, 10_B}) == std::vector<Extent>{{30_B, 10_B}});
  // 5 .. 45 covers both: new are 5 .. 10, 20 .. 30 and 40 .. 45.
  CHECK(set.add({5_B, 40_B}) == std::vector<Extent>{{5_B, 5_B}, {20_B, 10_B}, {40_B, 5_B}});
  CHECK(set.extents() == std::vector<Extent>{{5_B, 40_B}});
  CHECK(set.add({6_B, 3_B}).empty());
  // Touching is enough to merge.
  CHECK(set.add({45_B, 5_B}) == std::vector<Extent>{{45_B, 5_B}});
  CHECK(set.extents() == std::vector<Extent>{{5_B, 45_B}});
}

TEST_CASE("ExtentSet forgets what lies before a position", "[link]") {
  ExtentSet set;
  set.add({0_B, 10_B});
  set.add({20_B, 10_B});
  set.remove_before(25_B);
  CHECK(set.extents() == std::vector<Extent>{{25_B, 5_B}});
  CHECK(set.around(26_B) == Extent{25_B, 5_B});
  CHECK(set.around(24_B).empty());
  set.remove_before(30_B);
  CHECK(set.empty());
}
