#include <copysim/models/content.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

Content of_file(std::int64_t offset, std::int64_t length) {
  return {Origin{7, 1, Bytes{offset}}, Bytes{length}};
}

}  // namespace

TEST_CASE("pieces written out of order merge into one run", "[content]") {
  ContentMap map;
  map.write(60_B, of_file(60, 20));
  map.write(0_B, of_file(0, 40));
  map.write(40_B, of_file(40, 20));

  CHECK(map.runs() == 1);
  CHECK(map.read({0_B, 80_B}) == of_file(0, 80));
}

TEST_CASE("a write in the middle splits a run and keeps both ends", "[content]") {
  ContentMap map;
  map.write(0_B, of_file(0, 100));
  map.write(40_B, Content::zeros(20_B));

  Content expected = of_file(0, 40);
  expected.append(Content::zeros(20_B));
  expected.append(of_file(60, 40));
  CHECK(map.read({0_B, 100_B}) == expected);
  CHECK(map.runs() == 3);
}

TEST_CASE("what was never written reads as nothing", "[content]") {
  ContentMap map;
  map.write(10_B, of_file(10, 10));

  Content expected{Origin{}, 10_B};
  expected.append(of_file(10, 10));
  expected.append(Origin{}, 5_B);
  CHECK(map.read({0_B, 25_B}) == expected);
}

TEST_CASE("a slice starts inside a piece", "[content]") {
  Content content = of_file(0, 10);
  content.append(of_file(100, 10));

  Content expected = of_file(8, 2);
  expected.append(of_file(100, 3));
  CHECK(content.slice({8_B, 5_B}) == expected);
}
