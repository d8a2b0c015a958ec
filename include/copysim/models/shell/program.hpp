#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>

#include <copysim/models/cpu/cpu_process.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// What a program did until it ended.
struct ProgramReport {
  Duration elapsed{};
  Bytes read{};
  Bytes written{};
  std::int64_t files = 0;          ///< files read
  IoStatus status = IoStatus::ok;  ///< the first failure, which ends the program
};

/// A process that reads files, computes on what it read, and writes the outcome: an archiver, an
/// encoder, a compiler, an image editor, a player.
///
/// It reads its input file by file, `chunk` by `chunk`, through the cache. After each chunk it
/// computes for that chunk's part of `cpu`, and writes `output` bytes for each byte read, to
/// `outputs` files of equal size one after the other. Without input it only computes. With `every`
/// it reads and computes one chunk per period, as a player of sound does, and is paced by that.
/// It is one process, or with `processes_per_file` starts new ones for each file, as make does;
/// the scheduler of the machine gives them the processor.
///
/// Memory of its own is part of what the system sheet counts as in
/// use. Left out: paging of the program itself, pipes between processes, threads.
class Program {
public:
  struct Config {
    /// The name of a workload: the files that it reads. Empty: none.
    std::string input{};
    /// Processor time of the whole program in user mode, on the reference core.
    Duration cpu{};
    /// Bytes written for each byte read.
    double output = 0;
    /// Files that they go to.
    std::int64_t outputs = 1;
    /// What one read call reads: 4 to 64 KiB by program; 10 KiB in tar, 4 KiB in stdio.
    Bytes chunk = 16_KiB;
    /// Period of a player; 0: as fast as it can.
    Duration every{};
    /// Each file is the work of so many processes, one after the other in equal parts, started by
    /// one that waits for them: 3 for gcc of 2001 (cpp0, cc1 and as under the driver; recalled). 0:
    /// the program does all in one process.
    int processes_per_file = 0;

    static constexpr auto parameters = std::tuple{
        parameter("input", &Config::input, "the workload that it reads; empty: none"),
        parameter("cpu", &Config::cpu, "its processor time on the reference core",
                  at_least(Duration{0})),
        parameter("output", &Config::output, "bytes written for each byte read",
                  between(0.0, 1000.0)),
        parameter("outputs", &Config::outputs, "files that they go to", between(1, 10'000'000)),
        parameter("chunk", &Config::chunk, "what one read call reads", at_least(1_B)),
        parameter("every", &Config::every, "period of a player; 0: as fast as it can",
                  at_least(Duration{0})),
        parameter("processes_per_file", &Config::processes_per_file,
                  "each file is the work of so many new processes; 0: of the program itself",
                  between(0, 100)),
    };
  };

  /// `sim` and `processes` outlive it.
  /// \throws ConfigError if a parameter is outside its range.
  Program(Simulation& sim, ProcessStarter& processes, Config config);

  /// Runs it once over all that `input` lists; writes to `output`. Both outlive the task.
  [[nodiscard]] Task<ProgramReport> run(FileStore& input, FileStore& output);

private:
  class Output;
  [[nodiscard]] Task<> process_file(FileStore& input, FileStore::Entry entry, Output& output,
                                    ProgramReport& report);
  [[nodiscard]] Task<> process_chunk(Bytes length, Output& output, ProgramReport& report);
  [[nodiscard]] Task<> compute(Duration work);

  Simulation& sim_;
  ProcessStarter& processes_;
  Config config_;
  std::unique_ptr<CpuProcess> process_;
  Bytes total_;          ///< of the present run's input
  double owed_ = 0;      ///< output that is not a whole byte yet
  SimTime next_period_;  ///< of a player
};

}  // namespace copysim
