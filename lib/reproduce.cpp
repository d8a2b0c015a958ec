#include <copysim/lib/reproduce.hpp>

#include <copysim/error.hpp>

#include "run_cells.hpp"

namespace copysim {

std::string ReproducedRow::reason() const {
  if (verdict.outcome == Outcome::not_modelled) return row.not_modelled;
  if (verdict.outcome == Outcome::misses) {
    return row.miss_reason.empty() ? "not explained yet" : row.miss_reason;
  }
  return {};
}

std::vector<SourceCount> Reproduction::counts() const {
  std::vector<SourceCount> all;
  for (const ReproducedRow& reproduced : rows) {
    if (all.empty() || all.back().source != reproduced.source) {
      all.push_back({reproduced.source, {}, {}, 0});
    }
    SourceCount& count = all.back();
    if (reproduced.row.role == RowRole::input) {
      ++count.inputs;
      continue;
    }
    VerdictCount& verdicts = reproduced.row.role == RowRole::fit ? count.fit : count.check;
    switch (reproduced.verdict.outcome) {
      case Outcome::holds:
        ++verdicts.holds;
        break;
      case Outcome::misses:
        ++verdicts.misses;
        break;
      case Outcome::not_modelled:
        ++verdicts.not_modelled;
        break;
    }
  }
  return all;
}

Reproduction reproduce(const std::vector<PublishedSource>& sources, const RunCell& run,
                       const RunOptions& options) {
  std::set<CopyCell> cells;
  for (const PublishedSource& source : sources) {
    for (const PublishedRow& row : source.rows) {
      if (row.plan) detail::collect(*row.plan, cells);
    }
  }
  const detail::CellResults results = detail::run_cells(cells, run, options);

  Reproduction reproduction;
  reproduction.simulations = cells.size();
  for (const PublishedSource& source : sources) {
    for (const PublishedRow& row : source.rows) {
      reproduction.rows.push_back(detail::predict_row(source.id, row, results));
    }
  }
  return reproduction;
}

}  // namespace copysim
