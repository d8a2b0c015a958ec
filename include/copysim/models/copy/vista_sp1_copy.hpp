#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// Copies a file as CopyFileEx of Windows Vista Service Pack 1 and Server 2008 does.
///
/// Everything goes through the cache again; only a remote file is not cached on this machine, so
/// that its data is not held twice. The engine starts with four reads side by side, whose size (128
/// KiB to 1 MiB by the size of the file) makes the cache manager read ahead in large pieces. After
/// them one read at a time is outstanding, and one write; up to `initial_ios` chunks lie between
/// the reader and the writer, so that both ends work at once. Writes are in the order of the file.
///
/// Over SMB1 the remote end is served with small requests one after another, in order. Over SMB2
/// the redirector gets the large I/O and cuts it into concurrent 64 KiB requests itself; the engine
/// issues `initial_ios` of them together and waits for all before it turns to the other file, as
/// the engine of RTM does with its eight (inferred). So a round trip moves 4 MiB of a large file:
///
///     rate = batch / (round trip + batch / line rate),  batch = initial_ios * largest_io
///
/// That rests on two transfers of Server 2008 between two data centres, to and fro, and is not the
/// only way to explain them (docs/links.md, "Two data centres").
///
/// Source: reference `mechanisms.md` sections 3.1 to 3.2 (JOSH, SMALLVOID, WI6). The map from file
/// size to I/O size is only known at its ends; the steps between are inferred there.
class VistaSp1Copy final : public CopyPolicy {
public:
  struct Config {
    /// Smallest and largest I/O [JOSH].
    Bytes smallest_io = 128_KiB;
    Bytes largest_io = 1_MiB;
    /// A file as large as this gets twice the smallest I/O; each further step of `size_step`
    /// doubles it: 128 KiB below 1 MiB, 256 KiB below 4 MiB, 512 KiB below 16 MiB, 1 MiB above
    /// (inferred).
    Bytes first_step = 1_MiB;
    int size_step = 4;
    /// Reads issued side by side at the start, and chunks between reader and writer [JOSH].
    int initial_ios = 4;
    /// Reads outstanding after the initial ones (not documented; 1 is the plain cached loop).
    int reads_in_flight = 1;
    /// Size of one request to an SMB1 share [JOSH, article 000].
    Bytes smb1_request = 32_KiB;
    /// The end of file of the target is set before the first write (mechanisms 1.3, recalled).
    bool preset_size = true;
    int source_queries = 2;  ///< as in XP

    static constexpr auto parameters = std::tuple{
        parameter("smallest_io", &Config::smallest_io, "I/O size of small files", at_least(1_B)),
        parameter("largest_io", &Config::largest_io, "I/O size of large files", at_least(1_B)),
        parameter("first_step", &Config::first_step, "file size from which I/O size doubles",
                  at_least(1_B)),
        parameter("size_step", &Config::size_step,
                  "factor between file sizes at which I/O size doubles again", at_least(2)),
        parameter("initial_ios", &Config::initial_ios,
                  "reads issued side by side at the start, and chunks held at once", at_least(1)),
        parameter("reads_in_flight", &Config::reads_in_flight,
                  "reads outstanding after the initial ones", at_least(1)),
        parameter("smb1_request", &Config::smb1_request, "size of one request to an SMB1 share",
                  at_least(1_B)),
        parameter("preset_size", &Config::preset_size, "set the target's size before the data"),
        parameter("source_queries", &Config::source_queries,
                  "queries for information on the open source", at_least(0)),
    };
  };

  static constexpr std::string_view id = "vista-sp1";

  VistaSp1Copy() : VistaSp1Copy{Config{}} {}
  /// \throws ConfigError if a parameter is outside its range.
  explicit VistaSp1Copy(Config config);

  [[nodiscard]] std::string_view name() const override { return id; }
  [[nodiscard]] Task<CopyReport> copy(CopyJob job) override;

  /// The size of one I/O of a file of size `file`, before SMB1 cuts it.
  [[nodiscard]] Bytes io_size(Bytes file) const;

private:
  Config config_;
};

}  // namespace copysim
