#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The rules by which a cache manager reads ahead.
struct ReadAheadConfig {
  /// Lengths are rounded up to it. NTFS and the redirector set 64 KiB (mechanisms: R).
  Bytes granularity = 64_KiB;
  /// Reads ahead this many times the size of the application's read: 1 on XP (doubled by the
  /// sequential hint: its steady state is 128 KiB ahead of 64 KiB reads, PCM1), 2 from Vista SP1.
  std::int64_t factor = 1;
  /// Never further ahead than this: 2 MiB on Vista clients, 16 MiB on Server 2008 (R).
  Bytes most = 2_MiB;
  /// Three reads at one constant distance are predicted as well (Windows Internals 6e 2, p. 185).
  bool strides = true;

  static constexpr auto parameters = std::tuple{
      parameter("granularity", &ReadAheadConfig::granularity, "read-ahead is a multiple of it",
                at_least(4_KiB)),
      parameter("factor", &ReadAheadConfig::factor, "read ahead this many times the read's size",
                at_least(std::int64_t{0})),
      parameter("most", &ReadAheadConfig::most, "the furthest read-ahead", at_least(4_KiB)),
      parameter("strides", &ReadAheadConfig::strides, "predict reads at a constant distance too"),
  };
};

/// Decides, for one handle, what to read ahead after each read.
///
/// The Windows cache manager keeps the last two reads of each handle (its private cache map); three
/// reads in a row, or three at one constant distance, make a predictable sequence (Windows
/// Internals 6e part 2, p. 185). A handle opened with the sequential hint is predicted from its
/// first read on and read ahead twice as far (R. Chen, The Old New Thing, 20 Jan 2012). Interleaved
/// streams on one handle look like neither, so read-ahead gives up: that is what Vista RTM's eight
/// reads in flight do to an XP server.
class ReadHistory {
public:
  ReadHistory(ReadAheadConfig config, bool sequential_hint)
      : config_{config}, sequential_hint_{sequential_hint} {}

  /// Notes a read and returns the range to read ahead, if the sequence is predictable and the range
  /// was not asked for before in this sequence.
  [[nodiscard]] std::optional<Extent> note(Extent read);

private:
  [[nodiscard]] std::optional<Extent> next_in_sequence(Extent read);

  ReadAheadConfig config_;
  bool sequential_hint_;
  std::optional<Extent> last_;
  std::optional<Extent> before_last_;
  Bytes asked_to_;  ///< end of what was already asked for in the current sequence
};

}  // namespace copysim
