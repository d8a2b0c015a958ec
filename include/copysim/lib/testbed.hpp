#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <copysim/lib/counters.hpp>
#include <copysim/lib/scenario_config.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/models/shell/program.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

class Cpu;
struct MessageLog;

/// The program that a scenario times in place of a copy; it and its directories belong to the
/// testbed.
struct TimedProgram {
  Program* program;
  FileStore* input;
  FileStore* output;
};

namespace detail {
class TraceRecorder;
}

/// What is recorded beside the result. It changes no result.
struct Observers {
  bool paths = false;                         ///< where the time went, see `Simulation::path`
  detail::TraceRecorder* recorder = nullptr;  ///< each operation; it outlives the testbed
  MessageLog* messages = nullptr;             ///< what the connection carries; as above
};

/// The machines of a scenario put together, with the workload on the source volume: all that one
/// copy needs.
///
/// It owns its simulation. `source` and `target` are what a program on the client sees: local
/// directories, or a share of the server. The mount exists already (its handshake is not part of a
/// copy), as in the published tests.
class Testbed {
public:
  /// Builds everything for replication `replication` of `config`.
  /// \throws ConfigError if the parts do not fit: no such volume, no room for the workload.
  explicit Testbed(const ScenarioConfig& config, std::uint64_t replication = 0,
                   const Observers& observers = {});
  Testbed(const Testbed&) = delete;
  Testbed& operator=(const Testbed&) = delete;
  ~Testbed();

  [[nodiscard]] Simulation& simulation();
  [[nodiscard]] FileStore& source();
  [[nodiscard]] FileStore& target();
  /// What is to be copied.
  [[nodiscard]] std::vector<FileStore::Entry> files() const;
  /// The processors of the client, on which the shell runs.
  [[nodiscard]] Cpu& client_cpu();

  /// The program that is timed in place of a copy, if there is one. Programs in the background have
  /// started already.
  [[nodiscard]] std::optional<TimedProgram> program();

  /// What each model counted so far.
  [[nodiscard]] Counters counters() const;
  /// The names of files that the target's medium does not hold exactly as the source does: empty
  /// when every byte arrived once, in its place. Meaningful after `target().settle()`.
  [[nodiscard]] std::vector<std::string> damaged() const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace copysim
