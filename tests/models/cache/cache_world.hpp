#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <copysim/models/cache/cache_manager.hpp>
#include <copysim/sim/task_group.hpp>

#include "models/cache/fake_backing.hpp"
#include "support/free_cpu.hpp"

namespace copysim::testing {

/// The bytes of version `version` of the file that programs write in these tests.
inline Content written(std::uint32_t version, Extent extent) {
  return Content{Origin{5, version, extent.offset}, extent.length};
}
/// The bytes that lie on the medium before.
inline Content stored(Extent extent) {
  return Content{Origin{9, 0, extent.offset}, extent.length};
}

/// One file of a machine with little memory, on a device of 1 ms per request.
struct CacheWorld {
  explicit CacheWorld(CacheConfig config = {}, Bytes size = 64_MiB, Bytes memory = 16_MiB)
      : backing{sim, size}, cache{sim, cpu, config, memory}, file{sim, backing} {}
  ~CacheWorld() { sim.close(); }

  Task<> write(Extent extent, std::uint32_t version, Writer writer = Writer::program) {
    const Content content = written(version, extent);
    const IoStatus status = co_await cache.write(file, extent.offset, content, valid, writer);
    statuses.push_back(status);
  }
  Task<> write_pieces(Extent all, Bytes step, Writer writer = Writer::program) {
    for (Bytes at = all.offset; at < all.end(); at += step) {
      co_await write({at, step}, 0, writer);
    }
  }
  Task<> read(Extent extent) {
    const ReadResult result = co_await cache.read(file, history, extent);
    statuses.push_back(result.status());
    last_read = result.content();
  }
  Task<> flush() {
    const IoStatus status = co_await cache.flush(file);
    statuses.push_back(status);
  }
  /// The pages in memory, as the views tell.
  [[nodiscard]] Bytes resident() const {
    Bytes sum;
    for (const auto& [index, view] : file.views) {
      sum += page_size * std::popcount(view.valid | view.loading);
    }
    return sum;
  }

  Simulation sim;
  FreeCpu cpu;
  FakeBacking backing;
  CacheManager cache;
  CachedFile file;
  Bytes valid = 64_MiB;  ///< valid data length
  ReadHistory history{{.factor = 0}, false};
  std::vector<IoStatus> statuses;
  Content last_read;
};

}  // namespace copysim::testing
