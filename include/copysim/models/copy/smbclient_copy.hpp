#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// Copies a file as `get` and `put` of Samba's smbclient do; several, one after another, as `mget`
/// and `mput`.
///
/// It reads or writes the remote end in requests as large as the dialect and the server allow, and
/// keeps a window of `iosize` bytes outstanding: `ceil(iosize / request)` requests, at least one.
/// As soon as an answer that is next in the file's order is stored, the next request goes. The
/// local end is read and written at that moment, in order. With both ends on one share it is
/// `scopy`: the server copies by itself, one request of 16 chunks of 1 MiB after another; without
/// SMB2, or between two shares, smbclient reads 1 MiB, then writes it. Nothing is asked about the
/// target before, and no times are set after. MaxMpx and credits limit the window further. Left
/// out: `reget`, recursion, and Unix extensions.
///
/// Source: reference `smb-measured.md` section 3, from captures of smbclient 4.17; for `scopy` its
/// own (cli_smb2_fnum.c: cli_smb2_splice_send; clireadwrite.c: cli_splice_fallback).
class SmbclientCopy final : public CopyPolicy {
public:
  struct Config {
    /// Option `-b`: the window in bytes, not the size of a request (measured). 16 MiB is the
    /// default of 4.17.
    Bytes iosize = 16_MiB;

    static constexpr auto parameters = std::tuple{
        parameter("iosize", &Config::iosize, "bytes outstanding (option -b)", at_least(1_B)),
    };
  };

  static constexpr std::string_view id = "smbclient";

  SmbclientCopy() : SmbclientCopy{Config{}} {}
  /// \throws ConfigError if a parameter is outside its range.
  explicit SmbclientCopy(Config config);

  [[nodiscard]] std::string_view name() const override { return id; }
  [[nodiscard]] Task<CopyReport> copy(CopyJob job) override;

  /// Requests of `request` bytes that are outstanding at once.
  [[nodiscard]] int window(Bytes request) const;

private:
  Config config_;
};

}  // namespace copysim
