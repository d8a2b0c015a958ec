#include <copysim/models/link/delay_variation.hpp>

#include <algorithm>

namespace copysim {

DelayVariation::DelayVariation(const LinkConfig& config, RandomStream random)
    : jitter_{config.jitter},
      period_{std::max(config.jitter_period, config.jitter)},
      random_{random} {
  if (jitter_ == Duration::zero()) return;
  low_ = random_.uniform(Duration::zero(), jitter_);
  draw();
}

void DelayVariation::draw() {
  high_ = random_.uniform(Duration::zero(), jitter_);
}

Duration DelayVariation::at(SimTime at) {
  if (jitter_ == Duration::zero()) return Duration::zero();
  while (at >= from_ + period_) {
    from_ += period_;
    low_ = high_;
    draw();
  }
  const double share = std::max(0.0, seconds(at - from_) / seconds(period_));
  return low_ + from_seconds(share * seconds(high_ - low_));
}

}  // namespace copysim
