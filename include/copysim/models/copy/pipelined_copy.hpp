#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// Copies a file in chunks with several in flight: the general family, to search for better engines
/// than those that were shipped.
///
/// Sliding window: each of `depth` workers takes the next chunk of the file, reads it, writes it
/// and goes on, so that some chunks are read while others are written. Batch: `depth` chunks are
/// read side by side, then written side by side, then the next `depth`. A window with `ordered`
/// issues writes one at a time in the order of the file. A depth of 1 is the classic loop either
/// way.
class PipelinedCopy final : public CopyPolicy {
public:
  struct Config {
    Bytes chunk = 1_MiB;          ///< a round number above what a disk needs to stream
    int depth = 2;                ///< one chunk read while one is written
    bool cached_source = true;    ///< as most engines
    bool cached_target = true;    ///< as most engines
    bool local_buffering = true;  ///< false: a remote file is not cached on this machine
    bool ordered = true;          ///< growing a file out of order costs zero-filling on NTFS
    bool batch = false;
    bool preset_size = true;  ///< saves growing the file piece by piece
    int source_queries = 1;   ///< its size and times in one query

    static constexpr auto parameters = std::tuple{
        parameter("chunk", &Config::chunk, "size of one read and one write", at_least(1_B)),
        parameter("depth", &Config::depth, "chunks in flight at the same time", at_least(1)),
        parameter("cached_source", &Config::cached_source, "read through the cache"),
        parameter("cached_target", &Config::cached_target, "write through the cache"),
        parameter("local_buffering", &Config::local_buffering,
                  "cache a remote file on this machine too"),
        parameter("ordered", &Config::ordered, "write one chunk at a time in the file's order"),
        parameter("batch", &Config::batch, "read a whole batch, then write it"),
        parameter("preset_size", &Config::preset_size, "set the target's size before the data"),
        parameter("source_queries", &Config::source_queries,
                  "queries for information on the open source", at_least(0)),
    };
  };

  static constexpr std::string_view id = "pipelined";

  PipelinedCopy() : PipelinedCopy{Config{}} {}
  /// \throws ConfigError if a parameter is outside its range.
  explicit PipelinedCopy(Config config);

  [[nodiscard]] std::string_view name() const override { return id; }
  [[nodiscard]] Task<CopyReport> copy(CopyJob job) override;

private:
  Config config_;
};

}  // namespace copysim
