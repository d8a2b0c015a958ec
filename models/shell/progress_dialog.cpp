#include <copysim/models/shell/progress_dialog.hpp>

#include <algorithm>

namespace copysim {

ProgressDialog::ProgressDialog(Simulation& sim, Config config, SimTime opened, Bytes total)
    : sim_{sim},
      config_{config},
      left_{total},
      opened_{opened},
      next_refresh_{opened_ + std::max(config.first_delay, config.refresh)},
      estimator_{make_estimator(config.estimator, opened_, config.estimator_span)} {}

void ProgressDialog::advanced(Bytes piece) {
  refresh_until(sim_.now(), false);
  estimator_->advanced(sim_.now(), piece);
  left_ -= piece;
}

void ProgressDialog::close() {
  refresh_until(sim_.now(), true);
}

void ProgressDialog::refresh_until(SimTime now, bool included) {
  for (; next_refresh_ < now || (included && next_refresh_ == now);
       next_refresh_ += config_.refresh) {
    const std::optional<Duration> left = estimator_->remaining(next_refresh_, left_);
    if (!left) continue;
    if (!first_estimate_) first_estimate_ = next_refresh_ - opened_;
    estimated(next_refresh_ - opened_, *left);
  }
}

}  // namespace copysim
