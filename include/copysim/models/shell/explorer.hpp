#pragma once

#include <optional>
#include <tuple>

#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/models/shell/time_estimator.hpp>
#include <copysim/sim/probe.hpp>

namespace copysim {

/// What the user of the shell sees of a copy.
struct ShellReport {
  /// From the click on Copy until the dialog closes.
  Duration elapsed{};
  /// From the click until the first estimate of the time left; none if the copy was over before.
  std::optional<Duration> first_estimate;
  Bytes copied;
  std::int64_t files = 0;  ///< files copied completely
  std::int64_t reads = 0;
  std::int64_t writes = 0;
  IoStatus status = IoStatus::ok;  ///< the first failure, which ends the copy
};

/// Copies all files of a directory one after another, or as many at once as the engine wants, as
/// Windows Explorer or a tool at the command line does around the engine.
///
/// It enumerates the source, adds up the sizes, opens the dialog, then for each file does its own
/// work (processor time, queries at both ends) and hands it to the engine. The dialog closes when
/// the engine reports the last file; whether the data is on the medium then is the engine's matter.
/// Left out: conflicts, undo, thumbnails and indexing of what was copied, and the time that the
/// dialog's painting takes.
///
/// Source: reference `mechanisms.md` sections 1.3, 1.4, 2.4 and 3.3.
class Explorer {
public:
  struct Config {
    /// Processor time per file beside the engine's calls: name handling, change notification,
    /// dialog text. Not published; small against a disk access.
    Duration file_cpu = 500us;
    /// Queries of the source per file beside the engine's own (mechanisms 1.4: 6 to 12 round trips
    /// in all on XP, of which the engine makes 4 or 5).
    int source_queries = 2;
    /// Queries of the target per file beside the engine's own: is it there, is there room.
    int target_queries = 2;
    /// A single file is named by the user and not looked up in its directory, as with `get` of
    /// smbclient; several are listed all the same (`mget`).
    bool names_single_file = false;
    /// Several files go into a directory that the shell makes first, as with `mput` of smbclient.
    bool makes_directory = false;
    /// Time from the click until the first estimate may be shown: RTM 12 s [article 000, PCM2], SP1
    /// 2 s (assumed), XP none.
    Duration first_estimate = 0s;
    Duration refresh = 1s;  ///< time between two estimates (assumed)
    /// How the time left is estimated (formulas not published; mechanisms 2.4 suggests `recent` for
    /// RTM and `smoothed` for SP1).
    EstimatorKind estimator = EstimatorKind::mean;
    Duration estimator_span = 5s;  ///< window or time constant (mechanisms 2.4: 1 to 5 s)

    static constexpr auto parameters = std::tuple{
        parameter("file_cpu", &Config::file_cpu, "processor time per file beside the engine's",
                  at_least(Duration{0})),
        parameter("source_queries", &Config::source_queries,
                  "queries of the source per file beside the engine's", at_least(0)),
        parameter("target_queries", &Config::target_queries,
                  "queries of the target per file beside the engine's", at_least(0)),
        parameter("names_single_file", &Config::names_single_file,
                  "a single file is not looked up in its directory"),
        parameter("makes_directory", &Config::makes_directory,
                  "makes the directory of several files first"),
        parameter("first_estimate", &Config::first_estimate,
                  "time until the first estimate of the time left", at_least(Duration{0})),
        parameter("refresh", &Config::refresh, "time between two estimates",
                  at_least(Duration{1'000'000})),
        parameter("estimator", &Config::estimator, "how the time left is estimated"),
        parameter("estimator_span", &Config::estimator_span,
                  "window or time constant of the estimator", at_least(Duration{1'000'000})),
    };
  };

  /// `sim` and `cpu` outlive it.
  /// \throws ConfigError if a parameter is outside its range.
  Explorer(Simulation& sim, Cpu& cpu, Config config);

  /// Copies everything that `source` lists, which is `files`. The stores and the engine outlive the
  /// task. `files` is used without listing if it is a single one and `names_single_file` says so.
  [[nodiscard]] Task<ShellReport> copy(FileStore& source, FileStore& target, CopyPolicy& policy,
                                       std::vector<FileStore::Entry> files = {});

  /// Tells each estimate that is shown: time since the click, estimated time left.
  Probe<Duration, Duration> estimated;
  /// Tells each file as its engine is done with it.
  Probe<const FileStore::Entry&, const CopyReport&> file_copied;

private:
  struct Batch;
  [[nodiscard]] Task<> copy_files(Batch& batch);
  [[nodiscard]] Task<> prepare_file(FileStore& source, FileStore& target, std::string name);

  Simulation& sim_;
  Cpu& cpu_;
  Config config_;
};

}  // namespace copysim
