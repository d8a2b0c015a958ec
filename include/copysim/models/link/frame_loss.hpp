#pragma once

#include <cstdint>

#include <copysim/models/link/link_config.hpp>
#include <copysim/sim/random.hpp>

namespace copysim {

/// Which frames of one direction are lost at random, or in a fixed rhythm.
///
/// Each frame by itself with probability `loss`; or in runs (Gilbert 1960): a good state in which
/// nothing is lost and a bad one in which all is, left with probability `1 / loss_run` per frame
/// and entered with `loss / (loss_run (1 - loss))`, so that the share of lost frames is `loss` and
/// a run is `loss_run` frames long on the average. After a pause longer than the round trip the
/// state is drawn anew: what disturbed the path then has little to do with what disturbs it now.
/// `loss_every` loses each n-th frame with data: the periodic loss of analyses.
class FrameLoss {
public:
  FrameLoss(const LinkConfig& config, RandomStream random);

  /// Whether the next frame, which leaves `at`, is lost.
  [[nodiscard]] bool next(bool carries_data, SimTime at);

private:
  double loss_;
  double enter_ = 0;
  double leave_ = 0;
  bool runs_;
  std::int64_t every_;
  Duration pause_;
  std::int64_t count_ = 0;
  bool bad_ = false;
  SimTime last_{};
  RandomStream random_;
};

}  // namespace copysim
