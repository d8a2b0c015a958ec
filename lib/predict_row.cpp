#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <copysim/error.hpp>

#include "run_cells.hpp"

namespace copysim::detail {

namespace {

using Samples = std::vector<double>;

Samples megabytes(Samples rates) {
  for (double& rate : rates) rate /= 1e6;  // MB/s of the published rows.
  return rates;
}

Samples counter_of(const CellResult& result, const PublishedRow& row) {
  const std::string& name = row.plan->counter;
  const auto found = result.counters.find(name);
  if (found == result.counters.end()) {
    throw ConfigError{"row " + row.id + ": the run has no counter " + name};
  }
  return row.metric == "MB/s" ? megabytes(found->second) : found->second;
}

Samples samples_of(const CellResult& result, const PublishedRow& row) {
  switch (row.plan->quantity) {
    case CopyQuantity::elapsed:
      return result.elapsed_s;
    case CopyQuantity::durable:
      return result.durable_s;
    case CopyQuantity::first_estimate:
      return result.first_estimate_s;
    case CopyQuantity::throughput:
      return megabytes(result.throughput_bytes_per_s);
    case CopyQuantity::service:
      return result.service_s;
    case CopyQuantity::request_rate:
      return result.requests_per_s;
    case CopyQuantity::counter:
      return counter_of(result, row);
  }
  throw SimulationError{"unknown quantity"};
}

double combined(RowKind kind, double a, double b) {
  switch (kind) {
    case RowKind::difference:
      return a - b;
    case RowKind::reduction:
      return 100 * (1 - a / b);
    case RowKind::faster:
      return 100 * (b / a - 1);
    default:
      return a / b;
  }
}

/// The predictions of one figure (pair `i` of the plan), one per replication.
Samples figure(const PublishedRow& row, std::size_t i, const CellResults& results) {
  const RowPlan& plan = *row.plan;
  Samples a = samples_of(results.at(plan.a[i]), row);
  if (a.empty()) {
    throw ConfigError{"row " + row.id + ": only a benchmark of a device gives the quantity " +
                      std::string{to_string(plan.quantity)}};
  }
  if (plan.b.empty()) return a;
  const Samples b = samples_of(results.at(plan.b[i]), row);
  if (a.size() != b.size()) {
    throw ConfigError{"row " + row.id + ": both copies must have the same number of replications"};
  }
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = combined(row.kind, a[k], b[k]);
  return a;
}

/// The estimate over the replications that gave a number in every copy of the figure.
Estimate estimate_shown(Samples samples, const PublishedRow& row) {
  std::erase_if(samples, [](double x) { return std::isnan(x); });
  if (samples.empty()) {
    throw ConfigError{"row " + row.id + ": no replication showed a first estimate"};
  }
  return estimate(samples);
}

/// How far a prediction lies beyond what the row accepts; negative inside.
double beyond(const PublishedRow& row, double predicted) {
  const AcceptedRange range = accepted_range(row);
  const double x = judged_quantity(row, predicted);
  return std::max(range.lower - x, x - range.upper);
}

Estimate mean_of(const std::vector<Samples>& figures, const PublishedRow& row) {
  Samples total = figures.front();
  for (std::size_t i = 1; i < figures.size(); ++i) {
    if (figures[i].size() != total.size()) {
      throw ConfigError{"row " + row.id + ": all copies must have the same number of replications"};
    }
    for (std::size_t k = 0; k < total.size(); ++k) total[k] += figures[i][k];
  }
  for (double& x : total) x /= static_cast<double>(figures.size());
  return estimate_shown(std::move(total), row);
}

Estimate worst_of(const std::vector<Samples>& figures, const PublishedRow& row) {
  Estimate worst = estimate_shown(figures.front(), row);
  for (const Samples& samples : figures) {
    const Estimate next = estimate_shown(samples, row);
    const bool fails = judge(row, next.mean).outcome == Outcome::misses;
    const bool worst_fails = judge(row, worst.mean).outcome == Outcome::misses;
    if (fails != worst_fails ? fails : beyond(row, next.mean) > beyond(row, worst.mean)) {
      worst = next;
    }
  }
  return worst;
}

/// A run that measures a rate may tell its confidence interval itself (batch means); it counts
/// where there is but one replication.
void take_interval_of_the_run(const PublishedRow& row, const CellResults& results,
                              Estimate& predicted) {
  const RowPlan& plan = *row.plan;
  if (plan.quantity != CopyQuantity::counter || plan.a.size() != 1 || !plan.b.empty()) return;
  const CellResult& result = results.at(plan.a.front());
  const auto found = result.counters.find(plan.counter + "_ci95");
  if (found == result.counters.end() || found->second.size() != 1) return;
  predicted.ci95 = (row.metric == "MB/s" ? megabytes(found->second) : found->second).front();
}

}  // namespace

ReproducedRow predict_row(const std::string& source, const PublishedRow& row,
                          const CellResults& results) {
  ReproducedRow reproduced{source, row, std::nullopt, {}};
  if (!row.plan) return reproduced;
  std::vector<Samples> figures;
  figures.reserve(row.plan->a.size());
  for (std::size_t i = 0; i < row.plan->a.size(); ++i) figures.push_back(figure(row, i, results));
  const bool every = row.plan->rule == CellRule::every;
  reproduced.predicted = every ? worst_of(figures, row) : mean_of(figures, row);
  take_interval_of_the_run(row, results, *reproduced.predicted);
  reproduced.verdict = judge(row, reproduced.predicted->mean);
  return reproduced;
}

}  // namespace copysim::detail
