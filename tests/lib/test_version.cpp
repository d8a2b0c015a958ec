#include <copysim/lib/version.hpp>

#include "support/catch.hpp"

TEST_CASE("the version has three numbers", "[version]") {
  const std::string text{copysim::version()};

  CHECK(std::count(text.begin(), text.end(), '.') == 2);
}
