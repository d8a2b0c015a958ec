#include <copysim/models/shell/time_estimator.hpp>

#include <algorithm>
#include <cmath>

namespace copysim {

namespace {

std::optional<Duration> at_rate(Bytes left, Bytes copied, Duration in) {
  if (copied <= 0_B || in <= Duration{}) return std::nullopt;
  return from_seconds(static_cast<double>(left.count()) / static_cast<double>(copied.count()) *
                      seconds(in));
}

}  // namespace

void MeanRateEstimator::advanced(SimTime, Bytes piece) {
  copied_ += piece;
}

std::optional<Duration> MeanRateEstimator::remaining(SimTime now, Bytes left) const {
  return at_rate(left, copied_, now - start_);
}

void RecentRateEstimator::advanced(SimTime now, Bytes piece) {
  if (!recent_.empty() && recent_.back().at == now) {
    recent_.back().length += piece;
  } else {
    recent_.push_back({now, piece});
  }
  while (recent_.front().at <= now - window_) recent_.pop_front();
}

std::optional<Duration> RecentRateEstimator::remaining(SimTime now, Bytes left) const {
  Bytes copied;
  for (const Piece& piece : recent_) {
    if (piece.at > now - window_) copied += piece.length;
  }
  return at_rate(left, copied, std::min(window_, now - start_));
}

void SmoothedRateEstimator::advanced(SimTime now, Bytes piece) {
  pending_ += piece;
  const double elapsed = seconds(now - last_);
  if (elapsed <= 0) return;
  const double present = static_cast<double>(pending_.count()) / elapsed;
  const double keep = rate_ > 0 ? std::exp(-elapsed / seconds(time_constant_)) : 0;
  rate_ = keep * rate_ + (1 - keep) * present;
  last_ = now;
  pending_ = 0_B;
}

std::optional<Duration> SmoothedRateEstimator::remaining(SimTime, Bytes left) const {
  if (rate_ <= 0) return std::nullopt;
  return from_seconds(static_cast<double>(left.count()) / rate_);
}

std::unique_ptr<TimeEstimator> make_estimator(EstimatorKind kind, SimTime start, Duration span) {
  switch (kind) {
    case EstimatorKind::recent:
      return std::make_unique<RecentRateEstimator>(start, span);
    case EstimatorKind::smoothed:
      return std::make_unique<SmoothedRateEstimator>(start, span);
    case EstimatorKind::mean:
      break;
  }
  return std::make_unique<MeanRateEstimator>(start);
}

}  // namespace copysim
