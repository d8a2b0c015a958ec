#pragma once

#include <string_view>

#include <copysim/lib/run.hpp>

#include "support/catch.hpp"

namespace copysim::test {

/// What the run counted under `name`; the test fails if nothing was.
inline double counter(const RunResult& result, std::string_view name) {
  for (const auto& [known, value] : result.counters) {
    if (known == name) return value;
  }
  FAIL("no counter " << name);
  return 0;
}

}  // namespace copysim::test
