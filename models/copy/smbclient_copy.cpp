#include <copysim/models/copy/smbclient_copy.hpp>

#include <algorithm>

#include <copysim/models/parameter_check.hpp>

#include "transfer.hpp"

namespace copysim {

namespace {

constexpr Bytes splice_block = 1_MiB;  // SPLICE_BLOCK_SIZE

}  // namespace

SmbclientCopy::SmbclientCopy(Config config) : config_{config} {
  check_parameters(id, config_);
}

int SmbclientCopy::window(Bytes request) const {
  const std::int64_t most = detail::TransferPlan::no_limit;
  return static_cast<int>(std::clamp<std::int64_t>(pieces(config_.iosize, request), 1, most));
}

Task<CopyReport> SmbclientCopy::copy(CopyJob job) {
  const detail::TransferSubject subject{job};
  const Bytes most_read = job.source_traits().most_read;
  const Bytes most_written = job.target_traits().most_written;
  detail::TransferPlan plan;
  plan.chunk = config_.iosize;
  if (most_read > 0_B) plan.chunk = std::min(plan.chunk, most_read);
  if (most_written > 0_B) plan.chunk = std::min(plan.chunk, most_written);
  // A window of less than one request still reads and writes whole ones.
  if (most_read > 0_B && most_written <= 0_B) plan.chunk = most_read;
  if (most_written > 0_B && most_read <= 0_B) plan.chunk = most_written;
  plan.depth = window(plan.chunk);
  plan.ordered = most_read > 0_B;
  if (subject.source.remote() && subject.target.remote()) {
    plan.server_copy = subject.server_copy();
    plan.chunk = splice_block;
    plan.read_piece = most_read;
    plan.depth = 1;
  }
  plan.preset_size = false;
  plan.source_queries = 0;
  plan.query_target = false;
  plan.set_times = false;
  return detail::transfer(std::move(job), plan);
}

}  // namespace copysim
