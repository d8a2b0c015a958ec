#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <copysim/lib/measure.hpp>
#include <copysim/lib/settings_reader.hpp>
#include <copysim/lib/statistics.hpp>

namespace copysim {

/// The replications of one scenario, and what they say together.
struct RunSummary {
  std::string scenario;
  std::string policy;
  std::uint64_t seed = 1;
  std::vector<EffectiveSetting> settings;  ///< every value that the run used, and its source
  std::vector<RunResult> results;          ///< by replication

  [[nodiscard]] Estimate elapsed_s() const;
  [[nodiscard]] Estimate durable_s() const;
  /// Over the replications whose dialog showed one; none if no dialog did.
  [[nodiscard]] std::optional<Estimate> first_estimate_s() const;
  /// Copied bytes per second of elapsed time.
  [[nodiscard]] Estimate throughput_bytes_per_s() const;
  /// The mean of each counter over the replications, in the order of the first one.
  [[nodiscard]] Counters counters() const;
  /// The first failure of the first replication that failed.
  [[nodiscard]] IoStatus status() const;
};

}  // namespace copysim
