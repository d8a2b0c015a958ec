#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// Copies a file as CopyFileEx of Windows 2000, XP and Server 2003 does.
///
/// One thread reads a chunk through the cache into its buffer and writes it through the cache, then
/// goes on to the next; at no time are two requests outstanding. What overlaps is below: the cache
/// manager reads ahead and writes behind. The copy is over when the last write is in the cache.
/// Left out: alternate streams, extended attributes, security.
///
/// Source: reference `mechanisms.md` sections 1.1 to 1.5 (KB163880, ReactOS `CopyLoop`, PCM1).
class XpCopy final : public CopyPolicy {
public:
  struct Config {
    /// Read and write size [PCM1, ReactOS 0x10000].
    Bytes chunk = 64_KiB;
    /// The same when an end is an SMB1 share: Windows reads at most 60 KiB there [CIFSGLOB].
    Bytes smb1_chunk = 60_KiB;
    /// FILE_FLAG_SEQUENTIAL_SCAN on both files [KB163880].
    bool sequential = true;
    /// The end of file of the target is set before the first write (mechanisms 1.3, recalled).
    bool preset_size = true;
    /// Queries on the open source: standard and basic information [ReactOS].
    int source_queries = 2;

    static constexpr auto parameters = std::tuple{
        parameter("chunk", &Config::chunk, "size of one read and one write", at_least(1_B)),
        parameter("smb1_chunk", &Config::smb1_chunk, "the same when an end is an SMB1 share",
                  at_least(1_B)),
        parameter("sequential", &Config::sequential, "open with the sequential-scan hint"),
        parameter("preset_size", &Config::preset_size, "set the target's size before the data"),
        parameter("source_queries", &Config::source_queries,
                  "queries for information on the open source", at_least(0)),
    };
  };

  static constexpr std::string_view id = "xp";

  XpCopy() : XpCopy{Config{}} {}
  /// \throws ConfigError if a parameter is outside its range.
  explicit XpCopy(Config config);

  [[nodiscard]] std::string_view name() const override { return id; }
  [[nodiscard]] Task<CopyReport> copy(CopyJob job) override;

private:
  Config config_;
};

}  // namespace copysim
