#include <copysim/models/copy/xp_copy.hpp>

#include <copysim/models/parameter_check.hpp>

#include "transfer.hpp"

namespace copysim {

XpCopy::XpCopy(Config config) : config_{config} {
  check_parameters(id, config_);
}

Task<CopyReport> XpCopy::copy(CopyJob job) {
  const detail::TransferSubject subject{job};
  detail::TransferPlan plan;
  plan.source.sequential = config_.sequential;
  plan.target.sequential = config_.sequential;
  plan.chunk = subject.crosses_smb1() ? config_.smb1_chunk : config_.chunk;
  plan.depth = 1;
  plan.preset_size = config_.preset_size;
  plan.source_queries = config_.source_queries;
  return detail::transfer(std::move(job), plan);
}

}  // namespace copysim
