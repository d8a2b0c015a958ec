#include <copysim/models/copy/teracopy.hpp>

#include <copysim/models/parameter_check.hpp>

#include "transfer.hpp"

namespace copysim {

TeraCopy::TeraCopy(Config config) : config_{config} {
  check_parameters(id, config_);
}

Task<CopyReport> TeraCopy::copy(CopyJob job) {
  const detail::TransferSubject subject{job};
  detail::TransferPlan plan;
  for (OpenOptions* options : {&plan.source, &plan.target}) {
    options->cached = config_.cached;
    options->sequential = true;
  }
  plan.chunk = config_.buffer;
  plan.depth = subject.source.beside(subject.target) ? 1 : config_.buffers;
  // One thread reads, another writes.
  plan.reads_in_flight = 1;
  plan.writes_in_flight = 1;
  plan.ordered = true;
  plan.preset_size = config_.preset_size;
  plan.source_queries = config_.source_queries;
  return detail::transfer(std::move(job), plan);
}

}  // namespace copysim
