#include <copysim/models/copy/vista_rtm_copy.hpp>

#include <algorithm>

#include <copysim/models/parameter_check.hpp>

#include "transfer.hpp"

namespace copysim {

VistaRtmCopy::VistaRtmCopy(Config config, std::string_view name) : config_{config}, name_{name} {
  check_parameters(name_, config_);
}

Bytes VistaRtmCopy::io_size(Bytes file) const {
  if (file < config_.one_io_limit) return file;
  return file <= config_.medium_limit ? config_.medium_io : config_.large_io;
}

int VistaRtmCopy::in_flight(Bytes file) const {
  if (file <= config_.medium_limit) return config_.few_in_flight;
  // Above eight large I/Os the file always has enough of them, so one rule covers both ranges.
  const std::int64_t whole = pieces(file, config_.large_io);
  const int most = std::max(config_.few_in_flight, config_.many_in_flight);
  return static_cast<int>(std::clamp<std::int64_t>(whole, config_.few_in_flight, most));
}

Task<CopyReport> VistaRtmCopy::copy(CopyJob job) {
  const detail::TransferSubject subject{job};
  detail::TransferPlan plan;
  plan.preset_size = config_.preset_size;
  plan.source_queries = config_.source_queries;
  if (subject.size <= config_.cached_limit) {
    plan.source.sequential = true;
    plan.target.sequential = true;
    plan.chunk = subject.crosses_smb1() ? config_.cached_smb1_chunk : config_.cached_chunk;
  } else {
    plan.source.cached = false;
    plan.target.cached = false;
    plan.flush_at_end = config_.flush_at_end && !subject.target.remote();
    plan.shape = detail::TransferPlan::Shape::batch;
    plan.chunk = io_size(subject.size);
    plan.depth = in_flight(subject.size);
  }
  return detail::transfer(std::move(job), plan);
}

}  // namespace copysim
