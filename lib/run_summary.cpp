#include <copysim/lib/run_summary.hpp>

#include <algorithm>

namespace copysim {

namespace {

template <class Column>
Estimate estimate_of(const std::vector<RunResult>& results, Column column) {
  std::vector<double> samples;
  samples.reserve(results.size());
  for (const RunResult& result : results) samples.push_back(column(result));
  return estimate(samples);
}

}  // namespace

Estimate RunSummary::elapsed_s() const {
  return estimate_of(results, [](const RunResult& result) { return seconds(result.elapsed); });
}

Estimate RunSummary::durable_s() const {
  return estimate_of(results, [](const RunResult& result) { return seconds(result.durable); });
}

std::optional<Estimate> RunSummary::first_estimate_s() const {
  std::vector<double> samples;
  for (const RunResult& result : results) {
    if (result.first_estimate) samples.push_back(seconds(*result.first_estimate));
  }
  if (samples.empty()) return std::nullopt;
  return estimate(samples);
}

Estimate RunSummary::throughput_bytes_per_s() const {
  return estimate_of(results, [](const RunResult& result) {
    // A copy that took no time moved nothing that could be timed.
    if (result.elapsed <= Duration{}) return 0.0;
    return static_cast<double>(result.copied.count()) / seconds(result.elapsed);
  });
}

Counters RunSummary::counters() const {
  Counters means;
  for (const RunResult& result : results) {
    for (const auto& [name, value] : result.counters) {
      const auto known = std::ranges::find(means, name, &Counters::value_type::first);
      if (known == means.end()) {
        means.emplace_back(name, value);
      } else {
        known->second += value;
      }
    }
  }
  for (auto& [name, value] : means) value /= static_cast<double>(results.size());
  return means;
}

IoStatus RunSummary::status() const {
  for (const RunResult& result : results) {
    if (result.status != IoStatus::ok) return result.status;
  }
  return IoStatus::ok;
}

}  // namespace copysim
