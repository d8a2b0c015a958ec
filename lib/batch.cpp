#include <copysim/lib/batch.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/sim/stop_scope.hpp>

#include "scenario_resolver.hpp"

namespace copysim {

/// What is to do, what is done, and the threads that share both.
class Batch::Board {
public:
  Board(Scenario scenario, std::vector<std::vector<std::string>> points, PolicyRegistry policies,
        int jobs)
      : scenario_{std::move(scenario)}, points_{std::move(points)}, policies_{std::move(policies)} {
    if (jobs < 1) {
      throw ConfigError{"run", "jobs must be at least 1, got " + std::to_string(jobs)};
    }
    working_ = jobs;
    threads_.reserve(static_cast<std::size_t>(jobs));
    for (int i = 0; i < jobs; ++i) threads_.emplace_back([this] { work_off(); });
  }
  ~Board() {
    stop_.request_stop();
    threads_.clear();  // joins
  }
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  bool wait_for(std::chrono::milliseconds limit) {
    std::unique_lock lock{mutex_};
    return ended_.wait_for(lock, limit, [this] { return working_ == 0; });
  }
  std::vector<BatchRow> take() {
    const std::lock_guard lock{mutex_};
    return std::exchange(done_, {});
  }
  void stop() {
    stop_.request_stop();
    const std::lock_guard lock{mutex_};
    more_.notify_all();
  }
  std::size_t points_done() {
    const std::lock_guard lock{mutex_};
    return points_done_;
  }

private:
  /// A resolved point and the replications of it that are not finished yet.
  struct Point {
    std::size_t index = 0;
    ResolvedScenario scenario;
    std::int64_t unfinished = 0;
  };
  struct Work {
    std::shared_ptr<Point> point;  ///< none: the next point is to be resolved
    std::size_t index = 0;
    std::uint64_t replication = 0;
  };

  // Replications come first, so that few points are open at a time. While others resolve there may
  // be more to come.
  std::optional<Work> next() {
    std::unique_lock lock{mutex_};
    for (;;) {
      if (stop_.stop_requested()) return std::nullopt;
      if (!open_.empty()) {
        Work work = std::move(open_.front());
        open_.pop_front();
        return work;
      }
      if (next_point_ < points_.size()) {
        ++resolving_;
        return Work{nullptr, next_point_++, 0};
      }
      if (resolving_ == 0) return std::nullopt;
      more_.wait(lock);
    }
  }

  void resolve(std::size_t index) {
    auto point = std::make_shared<Point>();
    point->index = index;
    std::exception_ptr failure;
    try {
      const std::vector<std::string>& settings = points_[index];
      point->scenario = settings.empty() ? scenario_.resolve(policies_)
                                         : detail::resolve_with(scenario_, settings, policies_);
      point->unfinished = point->scenario.config.run.replications;
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock{mutex_};
    --resolving_;
    if (failure) {
      done_.push_back({.point = index, .failure = std::move(failure)});
      ++points_done_;
    }
    for (std::int64_t i = 0; i < point->unfinished; ++i) {
      open_.push_back({point, index, static_cast<std::uint64_t>(i)});
    }
    more_.notify_all();
  }

  void run_one(const Work& work) {
    BatchRow row{.point = work.index, .replication = work.replication};
    try {
      row.replications = work.point->scenario.config.run.replications;
      row.policy = work.point->scenario.config.policy_id;
      row.seed = static_cast<std::uint64_t>(work.point->scenario.config.run.seed);
      const StopScope scope{stop_.get_token()};
      row.result = run(work.point->scenario, work.replication);
    } catch (const Stopped&) {
      return;
    } catch (...) {
      row.failure = std::current_exception();
    }
    const std::lock_guard lock{mutex_};
    done_.push_back(std::move(row));
    if (--work.point->unfinished == 0) ++points_done_;
  }

  void work_off() {
    while (const std::optional<Work> work = next()) {
      if (work->point) {
        run_one(*work);
      } else {
        resolve(work->index);
      }
    }
    const std::lock_guard lock{mutex_};
    if (--working_ == 0) ended_.notify_all();
  }

  const Scenario scenario_;
  const std::vector<std::vector<std::string>> points_;
  const PolicyRegistry policies_;
  std::stop_source stop_;

  std::mutex mutex_;
  std::condition_variable more_;
  std::condition_variable ended_;
  std::deque<Work> open_;
  std::vector<BatchRow> done_;
  std::size_t next_point_ = 0;
  std::size_t points_done_ = 0;
  int resolving_ = 0;
  int working_ = 0;
  std::vector<std::jthread> threads_;
};

Batch::Batch(Scenario scenario, std::vector<std::vector<std::string>> points,
             PolicyRegistry policies, int jobs)
    : board_{std::make_unique<Board>(std::move(scenario), std::move(points), std::move(policies),
                                     jobs)} {}

Batch::~Batch() = default;

bool Batch::wait_for(std::chrono::milliseconds limit) {
  return board_->wait_for(limit);
}

std::vector<BatchRow> Batch::take() {
  return board_->take();
}

void Batch::stop() {
  board_->stop();
}

std::size_t Batch::points_done() const {
  return board_->points_done();
}

}  // namespace copysim
