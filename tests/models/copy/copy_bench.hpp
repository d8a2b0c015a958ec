#pragma once

#include <copysim/models/copy/copy_policy.hpp>

#include "support/catch.hpp"
#include "support/fake_store.hpp"

namespace copysim::testing {

/// One copy of the file "f" between two fake stores.
struct CopyBench {
  Simulation sim;
  FakeStore source;
  FakeStore target;
  CountingProgress progress;
  Bytes size;

  CopyBench(Bytes file, FakeStore::Config from, FakeStore::Config to, std::uint64_t seed = 1)
      : sim{Simulation::Config{.seed = seed}},
        source{sim, from, "source"},
        target{sim, to, "target"},
        size{file} {
    source.add("f", file);
  }

  CopyReport copy(CopyPolicy& policy) {
    return sim.run(policy.copy(CopyJob{sim, source, target, "f", size, progress}));
  }

  /// Whether the target holds exactly the source, byte for byte.
  [[nodiscard]] bool same() const {
    const auto copied = target.files.find("f");
    if (copied == target.files.end() || copied->second.size != size) return false;
    const Extent all{0_B, size};
    return copied->second.content.read(all) == source.files.at("f").content.read(all);
  }
};

}  // namespace copysim::testing
