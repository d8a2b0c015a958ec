#pragma once

#include <cstddef>

namespace copysim::detail {

/// Memory for coroutine frames: one free list per size class and thread.
///
/// A simulation starts and ends far more tasks than are alive at once, so a frame is nearly always
/// one that another task has just left. The lists are thread local only to spare a lock; which
/// block a frame gets affects no result. Blocks return to the system when their thread ends. Under
/// AddressSanitizer the pool is off, so that a use after the end of a task is found.
void* allocate_frame(std::size_t size);
void free_frame(void* frame, std::size_t size) noexcept;

}  // namespace copysim::detail
