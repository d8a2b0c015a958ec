#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// What the models counted in a run, by name ("server.disk.seeks"), in a fixed order. The names say
/// the mechanism, so that a reader sees why a copy took its time.
using Counters = std::vector<std::pair<std::string, double>>;

/// The machines of one simulated copy, built and wired: what an experiment needs to see of them.
///
/// Contract: everything lives in one simulation, which outlives it. The source holds the files of
/// the workload from the start, written without time passing.
class Testbed {
public:
  virtual ~Testbed() = default;
  /// What precedes the click on Copy and is not timed: connecting, logging on.
  [[nodiscard]] virtual Task<> prepare() = 0;
  [[nodiscard]] virtual FileStore& source() = 0;
  [[nodiscard]] virtual FileStore& target() = 0;
  /// The processors of the machine that starts the copy.
  [[nodiscard]] virtual Cpu& cpu() = 0;
  [[nodiscard]] virtual Counters counters() const = 0;
};

struct ResolvedScenario;

/// Builds the machines, link and files that `scenario` describes.
/// \throws ConfigError for a combination that cannot be built, such as files that do not fit.
[[nodiscard]] std::unique_ptr<Testbed> build_testbed(Simulation& sim,
                                                     const ResolvedScenario& scenario);

}  // namespace copysim
