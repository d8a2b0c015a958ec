#pragma once

#include <memory>
#include <optional>

#include <copysim/models/copy/copy_job.hpp>
#include <copysim/models/shell/time_estimator.hpp>
#include <copysim/sim/probe.hpp>

namespace copysim {

/// The window that shows how far a copy is: it hears of each piece, and renews its estimate of the
/// time left at whole multiples of `refresh` since it opened, the first time not before
/// `first_delay`.
///
/// It only watches: it costs no simulated time and adds no event to the run. The estimates of
/// the instants between two pieces are worked out when the next piece is heard.
class ProgressDialog final : public CopyProgress {
public:
  struct Config {
    EstimatorKind estimator = EstimatorKind::mean;
    Duration estimator_span = 5s;
    Duration first_delay = 0s;
    Duration refresh = 1s;
  };

  /// Opened at `opened`, not after the present time. `total` bytes are to be copied.
  ProgressDialog(Simulation& sim, Config config, SimTime opened, Bytes total);

  void advanced(Bytes piece) override;
  /// Takes note that time has passed without a piece, at the end of the copy.
  void close();

  /// How long after opening the first estimate was shown; none if it closed before.
  [[nodiscard]] std::optional<Duration> first_estimate() const { return first_estimate_; }

  /// Tells each estimate that is shown: time since opening, estimated time left.
  Probe<Duration, Duration> estimated;

private:
  // Shows the estimates of all instants before `now`, and of `now` itself if `included`.
  void refresh_until(SimTime now, bool included);

  Simulation& sim_;
  Config config_;
  Bytes left_;
  SimTime opened_;
  SimTime next_refresh_;
  std::unique_ptr<TimeEstimator> estimator_;
  std::optional<Duration> first_estimate_;
};

}  // namespace copysim
