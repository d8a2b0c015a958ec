#include "transfer.hpp"

#include <memory>
#include <utility>
#include <vector>

#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/task_group.hpp>

namespace copysim::detail {

namespace {

/// A piece of the file on its way.
struct Chunk {
  std::int64_t index = 0;
  Extent extent;
  Content content;
};

/// The state of one file's copy; it outlives all workers, which are joined before it goes.
class Transfer {
public:
  Transfer(CopyJob job, const TransferPlan& plan, File& source, File& target)
      : job_{std::move(job)},
        plan_{plan},
        source_{source},
        target_{target},
        reading_{job_.group(), plan.reads_in_flight},
        wrote_{job_.group()} {}

  [[nodiscard]] Task<> move_data();
  [[nodiscard]] const CopyReport& report() const { return report_; }

private:
  [[nodiscard]] bool ok() const { return report_.status == IoStatus::ok; }
  [[nodiscard]] bool more() const { return ok() && next_ < source_.size(); }
  [[nodiscard]] Chunk take();
  void fail(IoStatus status) {
    if (ok()) report_.status = status;
  }

  [[nodiscard]] Task<> move_batches();
  [[nodiscard]] Task<> move_on_server();
  [[nodiscard]] Task<> work();
  [[nodiscard]] Task<> read(Chunk& chunk);
  [[nodiscard]] Task<> fetch(Extent extent, Content& content);
  [[nodiscard]] Task<> read_in_turn(Chunk& chunk);
  [[nodiscard]] Task<> write(Chunk& chunk);
  [[nodiscard]] Task<> write_in_turn(Chunk& chunk);

  CopyJob job_;
  const TransferPlan& plan_;
  File& source_;
  File& target_;
  Bytes next_;
  std::int64_t next_index_ = 0;
  std::int64_t write_turn_ = 0;
  int writing_ = 0;
  Semaphore reading_;
  Signal wrote_;
  CopyReport report_;
};

Chunk Transfer::take() {
  Chunk chunk;
  chunk.index = next_index_++;
  chunk.extent = {next_, std::min(plan_.chunk, source_.size() - next_)};
  next_ = chunk.extent.end();
  return chunk;
}

// `content` lives in the caller, which joins.
Task<> Transfer::fetch(Extent extent, Content& content) {
  ++report_.reads;
  ReadResult result = co_await source_.read(extent);
  if (!result.ok()) {
    fail(result.status());
  } else if (result.content().size() != extent.length) {
    fail(IoStatus::end_of_file);  // the source shrank under the copy
  } else {
    content = result.content();
  }
}

Task<> Transfer::read(Chunk& chunk) {
  if (!ok()) co_return;
  const Bytes piece = plan_.read_piece;
  if (piece <= 0_B || chunk.extent.length <= piece) {
    co_await fetch(chunk.extent, chunk.content);
    co_return;
  }
  std::vector<Content> parts(static_cast<std::size_t>(pieces(chunk.extent.length, piece)));
  TaskGroup group{job_.group()};
  Bytes at = chunk.extent.offset;
  for (Content& part : parts) {
    const Extent extent{at, std::min(piece, chunk.extent.end() - at)};
    group.spawn(fetch(extent, part));
    at = extent.end();
  }
  co_await group.join();
  for (const Content& part : parts) chunk.content.append(part);
}

Task<> Transfer::write(Chunk& chunk) {
  const Bytes piece = plan_.write_piece > 0_B ? plan_.write_piece : chunk.extent.length;
  for (Bytes at; at < chunk.extent.length && ok(); at += piece) {
    const Extent part{at, std::min(piece, chunk.extent.length - at)};
    ++report_.writes;
    Content content = chunk.content.slice(part);
    const IoStatus status = co_await target_.write(chunk.extent.offset + at, std::move(content));
    if (status != IoStatus::ok) {
      fail(status);
      co_return;
    }
    report_.copied += part.length;
    job_.advanced(part.length);
  }
}

// The semaphore serves in FIFO order and workers take chunks in file order, so reads keep it too.
Task<> Transfer::read_in_turn(Chunk& chunk) {
  const bool waits = chunk.index >= plan_.initial_reads;
  if (waits) {
    co_await reading_.acquire(1);
  }
  co_await read(chunk);
  if (waits) reading_.release(1);
}

Task<> Transfer::write_in_turn(Chunk& chunk) {
  while (plan_.ordered && (write_turn_ != chunk.index || writing_ >= plan_.writes_in_flight)) {
    co_await wrote_.wait();
  }
  ++write_turn_;
  ++writing_;
  wrote_.notify_all();
  co_await write(chunk);
  --writing_;
  wrote_.notify_all();
}

Task<> Transfer::work() {
  while (more()) {
    Chunk chunk = take();
    co_await read_in_turn(chunk);
    co_await write_in_turn(chunk);
  }
}

Task<> Transfer::move_batches() {
  while (more()) {
    std::vector<Chunk> batch;
    while (std::ssize(batch) < plan_.depth && more()) batch.push_back(take());
    TaskGroup reads{job_.group()};
    for (Chunk& chunk : batch) reads.spawn(read_in_turn(chunk));
    co_await reads.join();
    TaskGroup writes{job_.group()};
    for (Chunk& chunk : batch) writes.spawn(write_in_turn(chunk));
    co_await writes.join();
  }
}

Task<> Transfer::move_on_server() {
  const CopyKey key = co_await source_.copy_key();
  fail(key.status);
  while (more()) {
    const Extent part{next_, std::min(plan_.server_copy, source_.size() - next_)};
    next_ = part.end();
    const IoStatus status = co_await target_.copy_range(key, part);
    fail(status);
    if (!ok()) co_return;
    report_.copied += part.length;
    job_.advanced(part.length);
  }
}

Task<> Transfer::move_data() {
  if (plan_.server_copy > 0_B) {
    co_await move_on_server();
    co_return;
  }
  if (plan_.shape == TransferPlan::Shape::batch) {
    co_await move_batches();
    co_return;
  }
  const std::int64_t chunks = pieces(source_.size(), plan_.chunk);
  const std::int64_t workers = std::min<std::int64_t>(plan_.depth, chunks);
  if (workers <= 1) {
    co_await work();
    co_return;
  }
  TaskGroup group{job_.group()};
  for (std::int64_t i = 0; i < workers; ++i) group.spawn(work());
  co_await group.join();
}

void note(CopyReport& report, IoStatus status) {
  if (report.status == IoStatus::ok) report.status = status;
}

// Both files are open; they stay open whatever happens here.
Task<CopyReport> fill_target(CopyJob job, const TransferPlan& plan, File& source, File& target) {
  CopyReport report;
  if (plan.preset_size) {
    const IoStatus status = co_await target.set_size(source.size());
    note(report, status);
  }
  if (report.status == IoStatus::ok) {
    Transfer transfer{job, plan, source, target};
    co_await transfer.move_data();
    report = transfer.report();
  }
  if (report.status == IoStatus::ok && plan.flush_at_end) {
    const IoStatus status = co_await target.flush();
    note(report, status);
  }
  if (report.status == IoStatus::ok && plan.set_times) {
    const IoStatus status = co_await target.set_times();
    note(report, status);
  }
  co_return report;
}

Task<CopyReport> create_and_fill(CopyJob job, const TransferPlan& plan, File& source) {
  for (int i = 0; i < plan.source_queries; ++i) {
    const IoStatus status = co_await job.query_source();
    if (status != IoStatus::ok) co_return CopyReport{.status = status};
  }
  OpenResult opened = co_await job.open_target(plan.target);
  if (!opened.ok()) co_return CopyReport{.status = opened.status()};
  const std::unique_ptr<File> target = opened.take();
  CopyReport report = co_await fill_target(job, plan, source, *target);
  const IoStatus closed = co_await target->close();
  note(report, closed);
  co_return report;
}

}  // namespace

Task<CopyReport> transfer(CopyJob job, TransferPlan plan) {
  const SimTime started = job.now();
  // Whether the target exists decides nothing here: every engine overwrites.
  if (plan.query_target) {
    [[maybe_unused]] const IoStatus existing = co_await job.query_target();
  }
  OpenResult opened = co_await job.open_source(plan.source);
  if (!opened.ok()) {
    co_return CopyReport{.elapsed = job.now() - started, .status = opened.status()};
  }
  const std::unique_ptr<File> source = opened.take();
  CopyReport report = co_await create_and_fill(job, plan, *source);
  const IoStatus closed = co_await source->close();
  note(report, closed);
  report.elapsed = job.now() - started;
  co_return report;
}

}  // namespace copysim::detail
