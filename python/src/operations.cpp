#include "operations.hpp"

#include <utility>

#include <copysim/sim/task_group.hpp>

namespace copysim::python {

namespace {

Reply done_or(IoStatus status) {
  if (status == IoStatus::ok) return std::monostate{};
  return status;
}

/// Leaves a group behind, however its join ends.
class EndOfGroup {
public:
  EndOfGroup(GroupHandle& handle, Groups& groups) : handle_{&handle}, groups_{&groups} {}
  EndOfGroup(const EndOfGroup&) = delete;
  EndOfGroup& operator=(const EndOfGroup&) = delete;
  ~EndOfGroup() { groups_->remove(std::exchange(handle_->group, nullptr)); }

private:
  GroupHandle* handle_;
  Groups* groups_;
};

}  // namespace

Task<Reply> open_file(std::shared_ptr<JobContext> context, OpenOptions options, std::string end) {
  context->check_open();
  CopyJob& job = context->job;
  Task<OpenResult> opening = end == "source" ? job.open_source(options) : job.open_target(options);
  OpenResult opened = co_await opening;
  if (!opened.ok()) co_return opened.status();
  context->files.push_back(opened.take());
  context->left_open.push_back(end);
  const auto handle = std::make_shared<FileHandle>(context, context->files.back().get(), end);
  co_return handle;
}

Task<Reply> query(std::shared_ptr<JobContext> context, std::string end) {
  context->check_open();
  Task<IoStatus> asking =
      end == "source" ? context->job.query_source() : context->job.query_target();
  const IoStatus status = co_await asking;
  if (status == IoStatus::ok || status == IoStatus::not_found) co_return status == IoStatus::ok;
  co_return status;
}

Task<Reply> delay(std::shared_ptr<JobContext> context, Duration duration) {
  context->check_open();
  co_await context->job.delay(duration);
  co_return std::monostate{};
}

Task<Reply> read(std::shared_ptr<FileHandle> handle, Extent extent) {
  File& file = handle->get();
  ++handle->context->report.reads;
  ReadResult result = co_await file.read(extent);
  if (result.status() == IoStatus::end_of_file) co_return Content{};
  if (!result.ok()) co_return result.status();
  co_return result.content();
}

Task<Reply> write(std::shared_ptr<FileHandle> handle, Bytes offset, Content content) {
  File& file = handle->get();
  const Bytes length = content.size();
  ++handle->context->report.writes;
  const IoStatus status = co_await file.write(offset, std::move(content));
  if (status != IoStatus::ok) co_return status;
  handle->context->report.copied += length;
  co_return std::monostate{};
}

Task<Reply> set_size(std::shared_ptr<FileHandle> handle, Bytes size) {
  const IoStatus status = co_await handle->get().set_size(size);
  co_return done_or(status);
}

Task<Reply> set_times(std::shared_ptr<FileHandle> handle) {
  const IoStatus status = co_await handle->get().set_times();
  co_return done_or(status);
}

Task<Reply> flush(std::shared_ptr<FileHandle> handle) {
  const IoStatus status = co_await handle->get().flush();
  co_return done_or(status);
}

Task<Reply> close_file(std::shared_ptr<FileHandle> handle) {
  File& file = handle->get();
  handle->closed = true;
  std::erase(handle->context->left_open, handle->end);
  const IoStatus status = co_await file.close();
  co_return done_or(status);
}

Task<Reply> enter_group(std::shared_ptr<GroupHandle> handle, Groups& groups) {
  handle->context->check_open();
  if (handle->group != nullptr) throw SimulationError{"the group is entered already"};
  handle->group = &groups.add(handle->context->job.group());
  co_return handle;
}

Task<Reply> join_group(std::shared_ptr<GroupHandle> handle, Groups& groups) {
  const EndOfGroup end{*handle, groups};
  co_await handle->group->join();
  co_return std::monostate{};
}

Task<Reply> cancel_group(std::shared_ptr<GroupHandle> handle, Groups& groups) {
  const EndOfGroup end{*handle, groups};
  handle->group->cancel();
  try {
    co_await handle->group->join();
  } catch (const std::exception&) {
    // The block fails with its own exception; that of a child has been said or does not matter.
    co_return std::monostate{};
  }
  co_return std::monostate{};
}

}  // namespace copysim::python
