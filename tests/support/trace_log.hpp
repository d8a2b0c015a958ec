#pragma once

#include <string>
#include <utility>
#include <vector>

#include <copysim/sim/simulation.hpp>

/// What happened when, in order: tests compare the whole list.
using TraceLog = std::vector<std::pair<std::string, copysim::Duration>>;

/// Adds a line at the present time.
inline void note(const copysim::Simulation& sim, TraceLog& log, std::string what) {
  log.emplace_back(std::move(what), sim.now().time_since_epoch());
}
