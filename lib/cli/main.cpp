#include <iostream>
#include <string>
#include <vector>

#include "command_line.hpp"

int main(int argc, char* argv[]) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return copysim::cli::run_command_line(arguments, std::cout, std::cerr);
}
