#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

#include <copysim/error.hpp>

namespace copysim {

/// Hears how many of the simulations are done, from any thread but one at a time.
using RunProgress = std::function<void(std::size_t done, std::size_t total)>;

/// How simulations are run side by side. None of it changes a number.
struct RunOptions {
  int jobs = 1;            ///< simulations at the same time
  RunProgress progress{};  ///< may be empty
  std::stop_token stop{};  ///< asked to stop, no simulation starts and those that run are given up
};

}  // namespace copysim
