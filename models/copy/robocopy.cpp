#include <copysim/models/copy/robocopy.hpp>

#include <utility>

#include <copysim/models/parameter_check.hpp>

namespace copysim {

Robocopy::Robocopy(Config config)
    : config_{config},
      copy_{{.unbuffered = config.unbuffered, .server_copy = true, .compress = config.compress},
            id} {
  check_parameters(id, config_);
}

Task<CopyReport> Robocopy::copy(CopyJob job) {
  return copy_.copy(std::move(job));
}

}  // namespace copysim
