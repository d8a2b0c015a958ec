#include "parallel.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <string>
#include <vector>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <copysim/error.hpp>
#include <copysim/sim/stop_scope.hpp>

namespace copysim::detail {

namespace {

/// The indices that are still to do, what failed, and the progress: shared by all threads.
class Board {
public:
  Board(std::size_t count, const RunOptions& options)
      : count_{count}, options_{options}, failures_(count) {}

  /// The next index to work on; `count` when there is none.
  std::size_t take() {
    const std::lock_guard lock{mutex_};
    if (failed_ || options_.stop.stop_requested()) return count_;
    return std::min(next_, count_) == count_ ? count_ : next_++;
  }
  void done() {
    const std::lock_guard lock{mutex_};
    ++done_;
    if (options_.progress) options_.progress(done_, count_);
  }
  void fail(std::size_t index, std::exception_ptr failure) {
    const std::lock_guard lock{mutex_};
    failures_[index] = std::move(failure);
    failed_ = true;
  }
  /// When all threads are through.
  void finish() const {
    for (const std::exception_ptr& failure : failures_) {
      if (failure) std::rethrow_exception(failure);
    }
    if (done_ < count_) throw Cancelled{};
  }

private:
  std::size_t count_;
  const RunOptions& options_;
  std::vector<std::exception_ptr> failures_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  bool failed_ = false;
};

void work_off(Board& board, std::size_t count, const RunOptions& options,
              const std::function<void(std::size_t)>& work) {
  for (std::size_t index = board.take(); index < count; index = board.take()) {
    try {
      const StopScope scope{options.stop};
      work(index);
      board.done();
    } catch (const Stopped&) {
      return;  // not done, and nothing more starts
    } catch (...) {
      board.fail(index, std::current_exception());
    }
  }
}

}  // namespace

void for_each_index(std::size_t count, const RunOptions& options,
                    const std::function<void(std::size_t)>& work) {
  if (options.jobs < 1) {
    throw ConfigError{"run", "jobs must be at least 1, got " + std::to_string(options.jobs)};
  }
  Board board{count, options};
  const std::size_t threads = std::min(count, static_cast<std::size_t>(options.jobs));
  if (threads <= 1) {
    work_off(board, count, options, work);
  } else {
    boost::asio::thread_pool pool{threads};
    for (std::size_t i = 0; i < threads; ++i) {
      boost::asio::post(pool, [&] { work_off(board, count, options, work); });
    }
    pool.join();
  }
  board.finish();
}

}  // namespace copysim::detail
