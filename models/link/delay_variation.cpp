#include <copysim/models/link/delay_variation.hpp>

#include <algorithm>

namespace copysim {

DelayVariation::DelayVariation(const LinkConfig& config, RandomStream random)
    : jitter_{config.jitter},
      period_{std::max(config.jitter_period, config.jitter)},
      random_{random} {
  if (jitter_ == Duration::zero()) return;
  draw();
  draw();
}

void DelayVariation::draw() {
  values_.push_back(random_.uniform(Duration::zero(), jitter_));
  if (values_.size() <= most_kept) return;
  values_.pop_front();
  from_ += period_;
}

Duration DelayVariation::at(SimTime at) {
  if (jitter_ == Duration::zero()) return Duration::zero();
  const auto count = [this] { return static_cast<std::int64_t>(values_.size()); };
  while ((at - from_) / period_ + 1 >= count()) draw();
  const Duration since = std::max(Duration::zero(), at - from_);
  const auto period = static_cast<std::size_t>(since / period_);
  const Duration low = values_[period];
  const double share = seconds(since % period_) / seconds(period_);
  return low + from_seconds(share * seconds(values_[period + 1] - low));
}

}  // namespace copysim
