#pragma once

#include <map>
#include <set>

#include <copysim/lib/reproduce.hpp>

namespace copysim::detail {

using CellResults = std::map<CopyCell, CellResult>;

/// Runs each cell once, side by side on a thread pool.
///
/// Of several failures the one of the first cell in order is thrown, so that the message does not
/// depend on the number of jobs.
[[nodiscard]] CellResults run_cells(const std::set<CopyCell>& cells, const RunCell& run,
                                    const RunOptions& options);

/// Names a cell in messages: `scenario key=value ...`.
[[nodiscard]] std::string to_text(const CopyCell& cell);

/// The cells that a row needs.
void collect(const RowPlan& plan, std::set<CopyCell>& cells);

/// Predicts and judges one row from finished cells.
[[nodiscard]] ReproducedRow predict_row(const std::string& source, const PublishedRow& row,
                                        const CellResults& results);

}  // namespace copysim::detail
