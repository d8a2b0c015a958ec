#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// Copies a file as Code Sector's TeraCopy does: whole buffers, in order.
///
/// Source and target on one device (or one share): a large buffer is filled from the source, then
/// written to the target, then filled again; nothing overlaps, so that the arm goes from one file
/// to the other only twice per buffer. On two devices the copy is asynchronous: while one buffer is
/// written the next is read. With n buffers' worth of data that a device reads in r and another
/// writes in w each, the first takes
///
///     n (r + w), the second r + (n - 1) max(r, w) + w.
///
/// Documented: "uses dynamically adjusted buffers to reduce seek times" and "asynchronous copy
/// speeds up file transfer between two physical hard drives" (codesector.com, as quoted in Super
/// User 493857 and 692775); that number and size of buffers are options (Code Sector's help,
/// "Options tab"). Their default is not published: size, number and what is cached are inferred
/// here. A buffer is one read and one write of the program; what lies below cuts it. Left out:
/// adjusting the buffer during a copy, and verifying the target.
class TeraCopy final : public CopyPolicy {
public:
  struct Config {
    /// Inferred: large against what a disk of 2008 moves during a seek (some 10 ms at 80 MB/s, 0.8
    /// MB), as it must be if it is to save seeks.
    Bytes buffer = 8_MiB;
    /// Buffers between two devices: inferred, the fewest with which anything overlaps.
    int buffers = 2;
    /// Whether both ends go through the file cache. Inferred: no, since the system's read-ahead and
    /// lazy writer would bring back the seeks that the buffer saves.
    bool cached = false;
    bool preset_size = true;  ///< as the system's own engine (inferred)
    int source_queries = 2;   ///< as the system's own engine (inferred)

    static constexpr auto parameters = std::tuple{
        parameter("buffer", &Config::buffer, "bytes that are read before they are written",
                  at_least(1_B)),
        parameter("buffers", &Config::buffers, "buffers between two devices", between(1, 64)),
        parameter("cached", &Config::cached, "both ends go through the file cache"),
        parameter("preset_size", &Config::preset_size, "set the target's size before the data"),
        parameter("source_queries", &Config::source_queries,
                  "queries for information on the open source", at_least(0)),
    };
  };

  static constexpr std::string_view id = "teracopy";

  TeraCopy() : TeraCopy{Config{}} {}
  /// \throws ConfigError if a parameter is outside its range.
  explicit TeraCopy(Config config);

  [[nodiscard]] std::string_view name() const override { return id; }
  [[nodiscard]] Task<CopyReport> copy(CopyJob job) override;

private:
  Config config_;
};

}  // namespace copysim
