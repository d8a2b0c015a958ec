#include <copysim/models/server/operation_mix.hpp>

namespace copysim {

const std::array<MixEntry, 15>& enterprise_disk_mix() {
  using Op = ServerOperation;
  static constexpr std::array<MixEntry, 15> mix{{
      {Op::read, "ReadX", 27.10, Bytes{67}, Bytes{67}},
      {Op::create, "NTCreateX", 17.29, Bytes{170}, Bytes{139}},
      {Op::query, "Qpathinfo", 15.67, Bytes{160}, Bytes{150}},
      {Op::change, "Close", 12.70, Bytes{45}, Bytes{39}},
      {Op::write, "WriteX", 8.62, Bytes{72}, Bytes{51}},
      {Op::find, "Find", 6.06, Bytes{170}, Bytes{600}},
      {Op::change, "Unlink", 3.49, Bytes{125}, Bytes{39}},
      {Op::query, "Qfsinfo", 2.87, Bytes{76}, Bytes{90}},
      {Op::query, "Qfileinfo", 2.75, Bytes{76}, Bytes{140}},
      {Op::change, "Sfileinfo", 1.41, Bytes{120}, Bytes{64}},
      {Op::flush, "Flush", 1.21, Bytes{41}, Bytes{39}},
      {Op::change, "Rename", 0.73, Bytes{210}, Bytes{39}},
      {Op::lock, "Lock", 0.055, Bytes{71}, Bytes{43}},
      {Op::lock, "Unlock", 0.055, Bytes{71}, Bytes{43}},
      {Op::change, "Mkdir, Deltree", 0.001, Bytes{125}, Bytes{39}},
  }};
  return mix;
}

MixSampler::MixSampler() {
  double sum = 0;
  for (std::size_t i = 0; i < below_.size(); ++i) {
    sum += enterprise_disk_mix()[i].share;
    below_[i] = sum;
  }
  for (double& x : below_) x /= sum;
}

const MixEntry& MixSampler::draw(RandomStream& random) const {
  const double x = random.uniform();
  std::size_t i = 0;
  while (i + 1 < below_.size() && x >= below_[i]) ++i;
  return enterprise_disk_mix()[i];
}

double MixSampler::probability(std::size_t i) const {
  return below_[i] - (i == 0 ? 0 : below_[i - 1]);
}

}  // namespace copysim
