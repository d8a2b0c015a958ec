#pragma once

// The operations that an engine in Python may await, each as the C++ task that performs it. Handles
// are kept alive by the tasks; what they refer to belongs to the copy's context.

#include <memory>
#include <string>
#include <utility>

#include "engine.hpp"

namespace copysim::python {

/// An operation that a call of `start` performs; `start` must be no coroutine, but may return one.
template <class Start>
[[nodiscard]] std::shared_ptr<Operation> operation(Start start) {
  return std::make_shared<Operation>(Operation::Start{std::move(start)});
}

[[nodiscard]] Task<Reply> open_file(std::shared_ptr<JobContext> context, OpenOptions options,
                                    std::string end);
[[nodiscard]] Task<Reply> query(std::shared_ptr<JobContext> context, std::string end);
[[nodiscard]] Task<Reply> delay(std::shared_ptr<JobContext> context, Duration duration);

[[nodiscard]] Task<Reply> read(std::shared_ptr<FileHandle> handle, Extent extent);
[[nodiscard]] Task<Reply> write(std::shared_ptr<FileHandle> handle, Bytes offset, Content content);
[[nodiscard]] Task<Reply> set_size(std::shared_ptr<FileHandle> handle, Bytes size);
[[nodiscard]] Task<Reply> set_times(std::shared_ptr<FileHandle> handle);
[[nodiscard]] Task<Reply> flush(std::shared_ptr<FileHandle> handle);
[[nodiscard]] Task<Reply> close_file(std::shared_ptr<FileHandle> handle);

/// `groups` belongs to the task that awaits; the group lives in it until it is left.
[[nodiscard]] Task<Reply> enter_group(std::shared_ptr<GroupHandle> handle, Groups& groups);
[[nodiscard]] Task<Reply> join_group(std::shared_ptr<GroupHandle> handle, Groups& groups);
[[nodiscard]] Task<Reply> cancel_group(std::shared_ptr<GroupHandle> handle, Groups& groups);

}  // namespace copysim::python
