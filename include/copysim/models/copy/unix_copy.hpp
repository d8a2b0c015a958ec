#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// Copies a file as `cp` and `dd` do: read a buffer, write it, until the file ends.
///
/// One process, both files through the page cache, no request outstanding while it works; what
/// overlaps is below, where the kernel reads ahead and writes back. The copy is over when the last
/// write is in the cache. The target grows with each write, and without `-p` its times are left as
/// the writes set them. Left out: holes, reflinks and `copy_file_range` (cp from 9.0 on).
///
/// Three engines are parameter sets of it: `cp-2001` (fileutils 4.1: a buffer of one block of
/// ext2), `cp` (coreutils from May 2014 on: 128 KiB, IOBLK) and `dd`, whose `bs=` is
/// `policy.buffer`. Source: reference `mechanisms.md` sections 10.1 and 10.3.
class UnixCopy final : public CopyPolicy {
public:
  struct Config {
    /// What one read and one write move.
    Bytes buffer = 4_KiB;
    /// `fstat` of the open source, for its block size and mode.
    int source_queries = 1;

    static constexpr auto parameters = std::tuple{
        parameter("buffer", &Config::buffer, "size of one read and one write", at_least(1_B)),
        parameter("source_queries", &Config::source_queries,
                  "queries for information on the open source", at_least(0)),
    };
  };

  static constexpr std::string_view cp_2001_id = "cp-2001";
  static constexpr std::string_view cp_id = "cp";
  static constexpr std::string_view dd_id = "dd";

  UnixCopy() : UnixCopy{Config{}, cp_2001_id} {}
  /// `id` is the name under which it goes.
  /// \throws ConfigError if a parameter is outside its range.
  UnixCopy(Config config, std::string_view id);

  [[nodiscard]] std::string_view name() const override { return id_; }
  [[nodiscard]] Task<CopyReport> copy(CopyJob job) override;

private:
  Config config_;
  std::string_view id_;
};

}  // namespace copysim
