#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// Copies a file as CopyFileEx of Windows Vista before Service Pack 1 does.
///
/// Small files go through the cache as in Windows XP. Larger ones bypass it with large I/Os, many
/// at once, in batches: issue all reads of the batch side by side, wait for all, issue all writes,
/// wait for all. With F the size of the file:
///
///     I/O size   F below 1 MiB; 1 MiB to 2 MiB; 2 MiB above
///     in flight  2 to F = 2 MiB; min(8, ceil(F / 2 MiB)) to 8 MiB; 8 above
///
/// Reads and writes of different batches never overlap. As the writes are not cached on this
/// machine, the copy is over when the target's device has the data; what a server does with them is
/// the server's rule. The patched version differs only in the shell's estimate of the time left, so
/// it is this class under another id.
///
/// Source: reference `mechanisms.md` sections 2.1 to 2.3; the rule between 2 and 8 MiB is inferred
/// there from the published ends.
class VistaRtmCopy final : public CopyPolicy {
public:
  struct Config {
    /// Files up to this size are copied through the cache [article 000].
    Bytes cached_limit = 256_KiB;
    Bytes cached_chunk = 64_KiB;       ///< chunk of those, as in XP [PCM1]
    Bytes cached_smb1_chunk = 60_KiB;  ///< and with an SMB1 end [CIFSGLOB]
    /// Below this size the whole file is one I/O [article 000].
    Bytes one_io_limit = 1_MiB;
    /// Up to this size (included) I/Os have `medium_io`, above it `large_io` [article 000].
    Bytes medium_limit = 2_MiB;
    Bytes medium_io = 1_MiB;  ///< [article 000]
    Bytes large_io = 2_MiB;   ///< [article 000]
    int few_in_flight = 2;    ///< I/Os at once up to `medium_limit`, and at least [article 000]
    int many_in_flight = 8;   ///< I/Os at once at most [article 000]
    /// The end of file of the target is set before the first write (mechanisms 1.3, recalled).
    bool preset_size = true;
    /// A non-cached copy to a local disk is over when the target is on the medium (PCM2: the dialog
    /// waits for the data); that the engine flushes the file for it is inferred. Over a network
    /// nothing is flushed: that is the server's rule.
    bool flush_at_end = true;
    int source_queries = 2;  ///< as in XP

    static constexpr auto parameters = std::tuple{
        parameter("cached_limit", &Config::cached_limit, "largest file that goes through the cache",
                  at_least(0_B)),
        parameter("cached_chunk", &Config::cached_chunk, "read and write size of a cached copy",
                  at_least(1_B)),
        parameter("cached_smb1_chunk", &Config::cached_smb1_chunk,
                  "the same when an end is an SMB1 share", at_least(1_B)),
        parameter("one_io_limit", &Config::one_io_limit, "smaller files are copied in one I/O",
                  at_least(0_B)),
        parameter("medium_limit", &Config::medium_limit, "larger files use large_io",
                  at_least(0_B)),
        parameter("medium_io", &Config::medium_io, "I/O size up to medium_limit", at_least(1_B)),
        parameter("large_io", &Config::large_io, "I/O size above medium_limit", at_least(1_B)),
        parameter("few_in_flight", &Config::few_in_flight,
                  "I/Os in flight of files up to medium_limit", at_least(1)),
        parameter("many_in_flight", &Config::many_in_flight, "largest number of I/Os in flight",
                  at_least(1)),
        parameter("preset_size", &Config::preset_size, "set the target's size before the data"),
        parameter("flush_at_end", &Config::flush_at_end,
                  "flush the local target of a non-cached copy"),
        parameter("source_queries", &Config::source_queries,
                  "queries for information on the open source", at_least(0)),
    };
  };

  static constexpr std::string_view id = "vista-rtm";
  static constexpr std::string_view patched_id = "vista-rtm-patched";

  VistaRtmCopy() : VistaRtmCopy{Config{}} {}
  /// `name` outlives the policy.
  /// \throws ConfigError if a parameter is outside its range.
  explicit VistaRtmCopy(Config config, std::string_view name = id);

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Task<CopyReport> copy(CopyJob job) override;

  /// The size of one I/O of a file of size `file` above `cached_limit`.
  [[nodiscard]] Bytes io_size(Bytes file) const;
  /// How many I/Os of such a file are in flight at once.
  [[nodiscard]] int in_flight(Bytes file) const;

private:
  Config config_;
  std::string_view name_;
};

}  // namespace copysim
