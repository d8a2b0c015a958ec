#include <copysim/models/copy/unix_copy.hpp>

#include <copysim/models/parameter_check.hpp>

#include "transfer.hpp"

namespace copysim {

UnixCopy::UnixCopy(Config config, std::string_view id) : config_{config}, id_{id} {
  check_parameters(id_, config_);
}

Task<CopyReport> UnixCopy::copy(CopyJob job) {
  detail::TransferPlan plan;
  plan.chunk = config_.buffer;
  plan.depth = 1;
  plan.preset_size = false;
  plan.set_times = false;
  plan.source_queries = config_.source_queries;
  return detail::transfer(std::move(job), plan);
}

}  // namespace copysim
