#pragma once

#include <ostream>
#include <stop_token>
#include <string>
#include <vector>

namespace copysim::cli {

/// Does what `copysim` with these arguments (without the program's name) does, and returns its exit
/// status: 0 all is well, 1 a check found a regression, 2 a wrong input, 3 an error of copysim
/// itself, 130 stopped through `stop`. An error is one line on `err`.
[[nodiscard]] int run_command_line(const std::vector<std::string>& arguments, std::ostream& out,
                                   std::ostream& err, std::stop_token stop = {});

}  // namespace copysim::cli
