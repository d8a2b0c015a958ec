#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <copysim/lib/published.hpp>
#include <copysim/lib/report_format.hpp>
#include <copysim/lib/run_options.hpp>
#include <copysim/lib/statistics.hpp>
#include <copysim/lib/verdict.hpp>

namespace copysim {

/// What a simulated copy gave, one number per replication, in the order of the replications.
struct CellResult {
  std::vector<double> elapsed_s;
  std::vector<double> durable_s;
  std::vector<double> first_estimate_s;  ///< not a number where the dialog closed before one
  std::vector<double> throughput_bytes_per_s;
  std::vector<double> service_s{};       ///< of a benchmark of a device only, else empty
  std::vector<double> requests_per_s{};  ///< likewise
  std::map<std::string, std::vector<double>> counters{};  ///< by name
};

/// Simulates one cell with all its replications.
///
/// Contract: a pure function of the cell, callable from several threads at once. It throws
/// `ConfigError` for a scenario or setting that it does not know.
using RunCell = std::function<CellResult(const CopyCell&)>;

/// A published row beside its prediction.
struct ReproducedRow {
  std::string source;  ///< Id of the source.
  PublishedRow row;
  /// In the unit of the row. Of a row that holds for every copy, the one that is nearest to the end
  /// of the accepted range, or farthest beyond it.
  std::optional<Estimate> predicted;
  Verdict verdict;

  /// Why it misses or is not modelled, from the data; empty if it holds.
  [[nodiscard]] std::string reason() const;
};

/// How often the rows of a source hold; input rows are in `inputs` and nowhere else.
struct VerdictCount {
  int holds = 0;
  int misses = 0;
  int not_modelled = 0;
};
struct SourceCount {
  std::string source;
  VerdictCount check;
  VerdictCount fit;
  int inputs = 0;
};

/// All rows of the chosen sources, in their order.
struct Reproduction {
  std::vector<ReproducedRow> rows;
  std::size_t simulations = 0;  ///< How many distinct cells were run.

  [[nodiscard]] std::vector<SourceCount> counts() const;
};

/// Predicts and judges every row of `sources`; each distinct cell is run once.
///
/// The two copies of a row are combined replication by replication, so that common random numbers
/// narrow the interval of their difference or ratio.
/// \throws ConfigError if a cell cannot be run; the text starts with the cell.
[[nodiscard]] Reproduction reproduce(const std::vector<PublishedSource>& sources,
                                     const RunCell& run, const RunOptions& options = {});

/// Prints rows and counts. JSON is a list of `{id, source, metric, unit, kind, published: {value,
/// lower, upper}, predicted: {mean, ci95} or null, role, verdict, reason}`; CSV has the same
/// columns.
void write_reproduction(std::ostream& out, const Reproduction& reproduction, ReportFormat format);

}  // namespace copysim
