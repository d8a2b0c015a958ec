#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <copysim/sim/random.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What a client asks a file server for.
enum class ServerOperation : std::uint8_t {
  read,
  write,
  create,  ///< or open
  close,
  query,  ///< of a path, a file or the volume
  find,
  change,  ///< times and attributes, rename, delete
  flush,
  lock,
};

/// One kind of operation of a mix.
struct MixEntry {
  ServerOperation operation = ServerOperation::read;
  std::string_view name;
  double share = 0;  ///< of all operations, in percent
  /// SMB 1.0 message there and back without file data, with its NetBIOS header.
  Bytes request;
  Bytes response;
};

/// The mix of NetBench's Enterprise disk mix, as the later trace of dbench 4 shows it.
///
/// Shares: a published run of 56.7 million operations (`mechanisms.md` section 11, RAID5-MAIL):
/// reads are 76 % of the data operations, and the mean operation moves 5.4 KB. Message sizes:
/// MS-CIFS, with a path of about 40 characters in Unicode (inferred).
[[nodiscard]] const std::array<MixEntry, 15>& enterprise_disk_mix();

/// Draws operations of a mix, each independent of the one before.
class MixSampler {
public:
  MixSampler();
  [[nodiscard]] const MixEntry& draw(RandomStream& random) const;
  /// The probability of entry `i`: its share of the sum of all.
  [[nodiscard]] double probability(std::size_t i) const;

private:
  std::array<double, 15> below_{};  // cumulative
};

}  // namespace copysim
