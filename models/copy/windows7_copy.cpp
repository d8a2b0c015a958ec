#include <copysim/models/copy/windows7_copy.hpp>

#include <copysim/models/parameter_check.hpp>

#include "transfer.hpp"

namespace copysim {

Windows7Copy::Windows7Copy(Config config, std::string_view name) : config_{config}, name_{name} {
  check_parameters(name_, config_);
}

Task<CopyReport> Windows7Copy::copy(CopyJob job) {
  using Protocol = StoreTraits::Protocol;
  const detail::TransferSubject subject{job};
  detail::TransferPlan plan;
  for (OpenOptions* options : {&plan.source, &plan.target}) {
    options->sequential = true;
    options->local_buffering = false;
    options->cached = !config_.unbuffered;
    options->compressed = config_.compress;
  }
  plan.chunk = config_.io;
  plan.ordered = true;
  plan.preset_size = config_.preset_size;
  plan.source_queries = config_.source_queries;
  const bool asks = config_.server_copy || subject.source.copies_on_server;
  if (asks && !config_.unbuffered) plan.server_copy = subject.server_copy();
  if (config_.unbuffered) plan.depth = config_.unbuffered_in_flight;
  if (!config_.unbuffered && !subject.target.remote()) plan.write_piece = config_.local_write;

  if (subject.source.protocol == Protocol::smb2) plan.depth = config_.remote_in_flight;
  if (subject.target.protocol == Protocol::smb2) {
    plan.depth = config_.remote_in_flight + 1;  // and one that is being read
    plan.writes_in_flight = config_.remote_in_flight;
  }
  if (subject.source.protocol == Protocol::smb1) {
    // One request after another, from the first on.
    plan.chunk = config_.smb1_request;
    plan.reads_in_flight = 1;
  } else if (subject.target.protocol == Protocol::smb1) {
    plan.write_piece = config_.smb1_request;
  }
  return detail::transfer(std::move(job), plan);
}

}  // namespace copysim
