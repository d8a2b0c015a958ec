#include <copysim/models/copy/vista_sp1_copy.hpp>

#include <algorithm>

#include <copysim/error.hpp>
#include <copysim/models/parameter_check.hpp>

#include "transfer.hpp"

namespace copysim {

VistaSp1Copy::VistaSp1Copy(Config config) : config_{config} {
  check_parameters(id, config_);
  if (config_.largest_io < config_.smallest_io) {
    throw ConfigError{id, "largest_io must not be below smallest_io, got " +
                              std::to_string(config_.largest_io.count()) + " B"};
  }
}

Bytes VistaSp1Copy::io_size(Bytes file) const {
  Bytes io = config_.smallest_io;
  for (Bytes step = config_.first_step; file >= step && io < config_.largest_io;
       step = step * config_.size_step) {
    io += io;
  }
  return std::min(io, config_.largest_io);
}

Task<CopyReport> VistaSp1Copy::copy(CopyJob job) {
  const detail::TransferSubject subject{job};
  detail::TransferPlan plan;
  plan.source.sequential = true;
  plan.source.local_buffering = false;
  plan.target.sequential = true;
  plan.target.local_buffering = false;
  plan.chunk = io_size(subject.size);
  plan.depth = config_.initial_ios;
  plan.initial_reads = config_.initial_ios;
  plan.reads_in_flight = config_.reads_in_flight;
  plan.ordered = true;
  plan.preset_size = config_.preset_size;
  plan.source_queries = config_.source_queries;
  using Protocol = StoreTraits::Protocol;
  // Over SMB2 four I/Os go out together and are waited for together: an asynchronous read or write
  // of a remote file that is not cached here returns at once. A cached one is done when it returns.
  if (subject.source.protocol == Protocol::smb2) {
    plan.shape = detail::TransferPlan::Shape::batch;
    plan.reads_in_flight = config_.initial_ios;
  }
  if (subject.target.protocol == Protocol::smb2) {
    plan.shape = detail::TransferPlan::Shape::batch;
    plan.writes_in_flight = config_.initial_ios;
  }
  if (subject.source.protocol == Protocol::smb1) {
    // One request after another, from the first on.
    plan.chunk = config_.smb1_request;
    plan.initial_reads = 0;
    plan.reads_in_flight = 1;
  } else if (subject.target.protocol == Protocol::smb1) {
    plan.write_piece = config_.smb1_request;
  }
  return detail::transfer(std::move(job), plan);
}

}  // namespace copysim
