#include <copysim/models/link/frame_loss.hpp>

#include <algorithm>

namespace copysim {

FrameLoss::FrameLoss(const LinkConfig& config, RandomStream random)
    : loss_{config.loss},
      runs_{config.loss_run > 1},
      every_{config.loss_every},
      pause_{config.rtt},
      random_{random} {
  if (!runs_ || loss_ <= 0) return;
  leave_ = 1 / config.loss_run;
  enter_ = loss_ >= 1 ? 1 : loss_ * leave_ / (1 - loss_);
}

bool FrameLoss::next(bool carries_data, SimTime at) {
  if (every_ > 0 && carries_data && ++count_ % every_ == 0) return true;
  if (loss_ <= 0) return false;
  if (!runs_) return random_.uniform() < loss_;
  const bool anew = at > last_ + pause_;
  last_ = std::max(last_, at);
  const double stays = bad_ ? 1 - leave_ : enter_;
  bad_ = random_.uniform() < (anew ? loss_ : stays);
  return bad_;
}

}  // namespace copysim
