#include "run_cells.hpp"

#include <exception>
#include <mutex>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <copysim/error.hpp>

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
                      const ReproduceOptions& options) {
  if (options.jobs < 1) throw ConfigError{"reproduce: jobs must be at least 1"};
  const std::vector<CopyCell> ordered{cells.begin(), cells.end()};
  std::vector<CellResult> results(ordered.size());
  std::vector<std::exception_ptr> failures(ordered.size());
  std::mutex mutex;
  std::size_t done = 0;

  const auto work = [&](std::size_t i) {
    try {
      results[i] = run(ordered[i]);
    } catch (...) {
      failures[i] = std::current_exception();
    }
    const std::lock_guard lock{mutex};
    ++done;
    if (options.progress) options.progress(done, ordered.size());
  };
  {
    boost::asio::thread_pool pool{static_cast<std::size_t>(options.jobs)};
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      boost::asio::post(pool, [&work, i] { work(i); });
    }
    pool.join();
  }

  CellResults by_cell;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    if (failures[i]) rethrow_for(ordered[i], failures[i]);
    by_cell.emplace(ordered[i], std::move(results[i]));
  }
  return by_cell;
}

}  // namespace copysim::detail
