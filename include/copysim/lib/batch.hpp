#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <copysim/lib/run.hpp>

namespace copysim {

/// One replication of one point of a batch: what it gave, or why it gave nothing.
struct BatchRow {
  std::size_t point = 0;  ///< index into the points of the batch
  std::uint64_t replication = 0;
  std::int64_t replications = 1;  ///< of this point: its number of rows
  std::string policy{};           ///< the engine; empty if the point could not be resolved
  std::uint64_t seed = 0;
  RunResult result{};
  /// A point that could not be resolved has one row, of replication 0, with the reason.
  std::exception_ptr failure{};
};

/// Many simulations that run side by side on threads of their own, while the caller does other
/// things and takes the rows that are done.
///
/// A point is the batch's scenario with settings on top. Looking up its sheets and running it are
/// both done by the threads; a point that fails costs the others nothing. Rows come in the order in
/// which they are done; what a row holds depends on its point and replication only. One thread
/// talks to a batch.
class Batch {
public:
  /// Starts `jobs` threads at once.
  /// \throws ConfigError if `jobs` is below 1.
  Batch(Scenario scenario, std::vector<std::vector<std::string>> points, PolicyRegistry policies,
        int jobs);
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  /// Stops, and waits until the threads have ended.
  ~Batch();

  /// Waits until all is done or stopped, at most for `limit`; returns whether it is.
  bool wait_for(std::chrono::milliseconds limit);
  /// The rows that were done since the last call.
  [[nodiscard]] std::vector<BatchRow> take();
  /// Starts nothing more and gives up the simulations that run. A second call does nothing.
  void stop();

  /// The points whose replications are all done.
  [[nodiscard]] std::size_t points_done() const;

private:
  class Board;
  std::unique_ptr<Board> board_;
};

}  // namespace copysim
