#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// Copies a file as CopyFileEx of Windows 7 and Server 2008 R2 does.
///
/// Between local disks it reads 1 MiB through the cache and writes it through the cache in pieces
/// of 64 KiB, one after another; the cache manager reads ahead and writes behind. A remote file is
/// not cached on this machine, and about ten I/Os of 1 MiB are in flight over SMB2, in the order of
/// the file; over SMB1 it is served as by Vista SP1. With `unbuffered` (COPY_FILE_NO_BUFFERING,
/// which `xcopy /J` and `robocopy /J` set) neither end is cached and whole I/Os are written.
///
/// Within one SMB2 share the server copies by itself if the client's system asks for it (Windows 8
/// and Server 2012 on) or `server_copy` says so: one request after another, each for as much as the
/// server takes (inferred from smbclient, which does so); not if unbuffered (inferred).
///
/// Source: reference `mechanisms.md` section 4 (WI6 p. 187 for the local trace, WINNTFS-FC for the
/// I/Os in flight, COPYFILE2 for the flag). How many unbuffered I/Os are in flight between local
/// disks is not published.
class Windows7Copy final : public CopyPolicy {
public:
  struct Config {
    Bytes io = 1_MiB;             ///< one read [WI6 p. 187]
    Bytes local_write = 64_KiB;   ///< one cached write to a local disk [WI6 p. 187]
    int remote_in_flight = 10;    ///< I/Os in flight to an SMB2 share [WINNTFS-FC]
    Bytes smb1_request = 32_KiB;  ///< one request to an SMB1 share (inferred: as Vista SP1)
    bool unbuffered = false;      ///< COPY_FILE_NO_BUFFERING [COPYFILE2]
    /// I/Os in flight of an unbuffered copy between local disks: assumed, one is read while one is
    /// written.
    int unbuffered_in_flight = 2;
    bool server_copy = false;  ///< asks the server to copy whatever the client's system does
    /// COPY_FILE_REQUEST_COMPRESSED_TRAFFIC: `xcopy /COMPRESS` and `robocopy /COMPRESS` of Windows
    /// 11 and Server 2022 (documented: Microsoft, SMB compression).
    bool compress = false;
    bool preset_size = true;  ///< as its predecessors (mechanisms 1.3, recalled)
    int source_queries = 2;   ///< as in XP

    static constexpr auto parameters = std::tuple{
        parameter("io", &Config::io, "size of one read", at_least(1_B)),
        parameter("local_write", &Config::local_write, "size of one cached write to a local disk",
                  at_least(1_B)),
        parameter("remote_in_flight", &Config::remote_in_flight, "I/Os in flight to an SMB2 share",
                  at_least(1)),
        parameter("smb1_request", &Config::smb1_request, "size of one request to an SMB1 share",
                  at_least(1_B)),
        parameter("unbuffered", &Config::unbuffered, "cache neither end (/J)"),
        parameter("unbuffered_in_flight", &Config::unbuffered_in_flight,
                  "I/Os in flight between local disks when unbuffered", at_least(1)),
        parameter("server_copy", &Config::server_copy,
                  "has the server copy within a share, whatever the system does"),
        parameter("compress", &Config::compress,
                  "asks for compressed traffic with a share (/COMPRESS)"),
        parameter("preset_size", &Config::preset_size, "set the target's size before the data"),
        parameter("source_queries", &Config::source_queries,
                  "queries for information on the open source", at_least(0)),
    };
  };

  static constexpr std::string_view id = "windows-7";
  static constexpr std::string_view xcopy_id = "xcopy-j";

  Windows7Copy() : Windows7Copy{Config{}} {}
  /// `name` outlives the policy.
  /// \throws ConfigError if a parameter is outside its range.
  explicit Windows7Copy(Config config, std::string_view name = id);

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Task<CopyReport> copy(CopyJob job) override;

private:
  Config config_;
  std::string_view name_;
};

}  // namespace copysim
