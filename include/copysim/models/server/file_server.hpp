#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/models/server/operation_mix.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/sim/random.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// A file server as many clients see it: threads that work on requests, a file cache, and disks.
///
/// Each stream of requests has a workspace of its own. A read finds its data in the cache with the
/// probability `cache / workspaces` (at most 1), else it reads the array. A write goes to the
/// cache. A flush writes what its stream has written since the last one; a lazy writer goes round
/// once a second and writes an eighth of all that is left (`mechanisms.md` 5.3). Where a workspace
/// lies within the array follows its number; the place within it is random.
///
/// Left out: the file system's log and directories on disk, which the cache absorbs; opportunistic
/// locks; sharing of files between clients.
class FileServer {
public:
  struct Config {
    /// Work of a thread, on the reference core. Assumed: a quarter of what the same calls cost on
    /// the desktop systems of the catalogue (100 us to open, 30 us to query), which a kernel server
    /// with warm caches undercuts; it limits no result (eight cores).
    Duration data_work = 15us;
    Duration open_work = 40us;
    Duration change_work = 40us;
    Duration query_work = 15us;
    Bandwidth copy{1.5e9};   ///< inferred: between cache and network buffers (`mechanisms.md` 5.6)
    Bytes data_size{15200};  ///< measured: mean of a data operation (`mechanisms.md` section 11)
    Bytes workspace{25'000'000};  ///< documented (DBENCH): space per stream on the server
    Bytes disk_request = 64_KiB;  ///< longest request of write-behind

    static constexpr auto parameters = std::tuple{
        parameter("data_work", &Config::data_work, "thread's work for a read, write, flush or lock",
                  at_least(Duration{0})),
        parameter("open_work", &Config::open_work, "thread's work for an open or create",
                  at_least(Duration{0})),
        parameter("change_work", &Config::change_work,
                  "thread's work for a rename, delete, change of attributes or close",
                  at_least(Duration{0})),
        parameter("query_work", &Config::query_work, "thread's work for a query or search",
                  at_least(Duration{0})),
        parameter("copy", &Config::copy, "copying of data", at_least(Bandwidth{1.0})),
        parameter("data_size", &Config::data_size, "bytes of a read or write", at_least(1)),
        parameter("workspace", &Config::workspace, "space of a stream", at_least(1)),
        parameter("disk_request", &Config::disk_request, "longest request of write-behind",
                  at_least(512_B)),
    };
  };

  struct Counters {
    std::int64_t misses = 0;   ///< reads that went to the disks
    std::int64_t flushes = 0;  ///< that had something to write
    Bytes written;             ///< to the disks
    Duration waited{};         ///< of requests for the disks
  };

  /// `cache` is what the server's memory has for files. All outlive the simulation's tasks.
  FileServer(Simulation& simulation, Cpu& cpu, BlockDevice& disks, Bytes cache, int streams,
             const Config& config);

  /// Works on one request; ends when the response may go out.
  [[nodiscard]] Task<> serve(int stream, const MixEntry& entry);
  /// The thread's work for an operation.
  [[nodiscard]] Duration work_of(ServerOperation operation) const;
  /// The data that an operation carries: to the server with a write, from it with a read.
  [[nodiscard]] Bytes data_of(ServerOperation operation) const;
  [[nodiscard]] const Counters& counters() const { return counters_; }

private:
  Task<> write_back(int stream, Bytes length);
  Task<> write_lazily();
  [[nodiscard]] Extent place(int stream, Bytes length);

  Simulation& simulation_;
  Cpu& cpu_;
  BlockDevice& disks_;
  Config config_;
  double hit_probability_;
  RandomStream random_;
  std::vector<Bytes> dirty_;  // by stream
  Counters counters_;
};

}  // namespace copysim
