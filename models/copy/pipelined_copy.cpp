#include <copysim/models/copy/pipelined_copy.hpp>

#include <copysim/models/parameter_check.hpp>

#include "transfer.hpp"

namespace copysim {

PipelinedCopy::PipelinedCopy(Config config) : config_{config} {
  check_parameters(id, config_);
}

Task<CopyReport> PipelinedCopy::copy(CopyJob job) {
  using Shape = detail::TransferPlan::Shape;
  detail::TransferPlan plan;
  plan.source.cached = config_.cached_source;
  plan.source.sequential = true;
  plan.source.local_buffering = config_.local_buffering;
  plan.target.cached = config_.cached_target;
  plan.target.sequential = true;
  plan.target.local_buffering = config_.local_buffering;
  plan.chunk = config_.chunk;
  plan.depth = config_.depth;
  plan.shape = config_.batch ? Shape::batch : Shape::window;
  plan.ordered = config_.ordered && !config_.batch;  // a batch goes out as a whole
  plan.preset_size = config_.preset_size;
  plan.source_queries = config_.source_queries;
  return detail::transfer(std::move(job), plan);
}

}  // namespace copysim
