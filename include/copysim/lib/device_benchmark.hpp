#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <copysim/lib/machine_drive.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/sim/random.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task.hpp>
#include <copysim/units.hpp>

namespace copysim {

[[nodiscard]] std::string_view to_string(Access access);
[[nodiscard]] constexpr std::array<Access, 2> all_values(Access) {
  return {Access::read, Access::write};
}

/// Where the requests of a benchmark go.
enum class AccessPattern : std::uint8_t {
  sequential,  ///< one behind the other, as dd does it
  random,      ///< uniform over the region, at multiples of the request size
  stride,      ///< each starts `stride` behind the start of the one before it
  alternate,   ///< in turn from the begin and the end of the region, each `stride` further inwards
};
[[nodiscard]] std::string_view to_string(AccessPattern pattern);
[[nodiscard]] constexpr auto all_values(AccessPattern /*kind*/) {
  return std::array{AccessPattern::sequential, AccessPattern::random, AccessPattern::stride,
                    AccessPattern::alternate};
}

/// A request loop on a bare device, such as dd, diskinfo or a random-read test: `[benchmark]`.
///
/// `depth` loops run side by side and take the next request from one common sequence. Each spends
/// `host_time` on it (system call, driver, interrupt) and then waits for the device. A request
/// above the device's `max_request` goes down in pieces, all outstanding at once, as the class
/// driver of Windows cuts it. There is no file system and no cache of the host.
struct BenchmarkConfig {
  Access access = Access::read;
  AccessPattern pattern = AccessPattern::sequential;
  Bytes request = 64_KiB;
  std::int64_t requests = 0;  ///< 0: as many as fill `size`
  Bytes size = 64_MiB;
  int depth = 1;
  /// The region, as parts of the device: 0 is the outer edge of a disk.
  double begin = 0.0;
  double end = 1.0;
  Bytes stride = 64_KiB;
  bool backward = false;  ///< `sequential` and `stride`: from the end of the region downwards
  bool force_unit_access = false;
  Duration host_time{};

  static constexpr auto parameters = std::tuple{
      parameter("access", &BenchmarkConfig::access, "read or write"),
      parameter("pattern", &BenchmarkConfig::pattern, "sequential, random, stride or alternate"),
      parameter("request", &BenchmarkConfig::request, "size of a request: whole sectors",
                at_least(512_B)),
      parameter("requests", &BenchmarkConfig::requests, "how many; 0: as many as fill size",
                between(0, 1'000'000'000)),
      parameter("size", &BenchmarkConfig::size, "bytes of all requests", at_least(512_B)),
      parameter("depth", &BenchmarkConfig::depth, "requests in flight", between(1, 65536)),
      parameter("begin", &BenchmarkConfig::begin, "begin of the region: part of the device",
                between(0.0, 1.0)),
      parameter("end", &BenchmarkConfig::end, "end of the region: part of the device",
                between(0.0, 1.0)),
      parameter("stride", &BenchmarkConfig::stride, "stride, alternate: from start to start",
                at_least(0_B)),
      parameter("backward", &BenchmarkConfig::backward, "sequential, stride: downwards"),
      parameter("force_unit_access", &BenchmarkConfig::force_unit_access,
                "writes complete on the medium only"),
      parameter("host_time", &BenchmarkConfig::host_time, "processor time of a request",
                at_least(Duration{})),
  };

  [[nodiscard]] std::int64_t count() const { return requests > 0 ? requests : size / request; }
};

/// What a device scenario measures: the tables `[device]` and `[benchmark]`.
struct DeviceBenchmark {
  std::string drive;  ///< id of the drive sheet
  DriveConfig device;
  BenchmarkConfig benchmark;
};

/// The addresses of a benchmark's requests, one after the other.
class RequestSequence {
public:
  /// \throws ConfigError if requests are not whole sectors or the region holds none.
  RequestSequence(const BenchmarkConfig& config, Bytes capacity, const RandomStream& random);

  /// The next request, or nothing after the last.
  [[nodiscard]] std::optional<Extent> next();

private:
  [[nodiscard]] Bytes place(std::int64_t k);

  BenchmarkConfig config_;
  RandomStream random_;
  Bytes first_;          // the lowest start
  std::int64_t places_;  // aligned starts in the region
  std::int64_t taken_ = 0;
};

/// What a benchmark gave.
struct BenchmarkReport {
  Duration elapsed{};  ///< until the last request was done
  Duration durable{};  ///< and until the device had flushed its write cache
  std::int64_t requests = 0;
  Bytes bytes;
  Duration service{};  ///< sum over the requests: from the device's call to its answer
  Duration longest{};  ///< of a single one
  IoStatus status = IoStatus::ok;
};

/// Runs the benchmark on `device`; both outlive the task.
[[nodiscard]] Task<BenchmarkReport> run_benchmark(Simulation& sim, BlockDevice& device,
                                                  BenchmarkConfig config);

}  // namespace copysim
