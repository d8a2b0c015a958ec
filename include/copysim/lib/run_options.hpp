#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <stop_token>

namespace copysim {

/// Hears how many of the simulations are done, from any thread but one at a time.
using RunProgress = std::function<void(std::size_t done, std::size_t total)>;

/// How simulations are run side by side. None of it changes a number.
struct RunOptions {
  int jobs = 1;            ///< simulations at the same time
  RunProgress progress{};  ///< may be empty
  std::stop_token stop{};  ///< no further simulation starts once it is asked to stop
};

/// The caller asked to stop before all simulations were done.
class Cancelled : public std::runtime_error {
public:
  Cancelled() : std::runtime_error{"cancelled"} {}
};

}  // namespace copysim
