#include <iostream>

#include <copysim/copysim.hpp>

int main() {
  std::cout << "copysim " << copysim::version() << '\n';
}
