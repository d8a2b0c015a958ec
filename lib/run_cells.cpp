#include "run_cells.hpp"

#include <exception>
#include <utility>

#include <copysim/error.hpp>

#include "parallel.hpp"

namespace copysim::detail {

namespace {

[[noreturn]] void rethrow_for(const CopyCell& cell, const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const ConfigError& error) {
    throw ConfigError{to_text(cell) + ": " + error.what()};
  } catch (const SimulationError& error) {
    throw SimulationError{to_text(cell) + ": " + error.what()};
  }
}

}  // namespace

std::string to_text(const CopyCell& cell) {
  std::string text = cell.scenario;
  for (const auto& [key, value] : cell.settings)
    text.append(" ").append(key).append("=").append(value);
  return text;
}

void collect(const RowPlan& plan, std::set<CopyCell>& cells) {
  cells.insert(plan.a.begin(), plan.a.end());
  cells.insert(plan.b.begin(), plan.b.end());
}

CellResults run_cells(const std::set<CopyCell>& cells, const RunCell& run,
                      const RunOptions& options) {
  if (options.jobs < 1) throw ConfigError{"reproduce: jobs must be at least 1"};
  const std::vector<CopyCell> ordered{cells.begin(), cells.end()};
  std::vector<CellResult> results(ordered.size());
  for_each_index(ordered.size(), options, [&](std::size_t i) {
    try {
      results[i] = run(ordered[i]);
    } catch (...) {
      rethrow_for(ordered[i], std::current_exception());
    }
  });

  CellResults by_cell;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    by_cell.emplace(ordered[i], std::move(results[i]));
  }
  return by_cell;
}

}  // namespace copysim::detail
