#include <copysim/sim/frame_pool.hpp>

#include <array>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define COPYSIM_NO_FRAME_POOL 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COPYSIM_NO_FRAME_POOL 1
#endif
#endif

namespace copysim::detail {

#ifdef COPYSIM_NO_FRAME_POOL

void* allocate_frame(std::size_t size) {
  return ::operator new(size);
}

void free_frame(void* frame, std::size_t size) noexcept {
  ::operator delete(frame, size);
}

#else

namespace {

constexpr std::size_t granule = 64;  // one cache line
constexpr std::size_t classes = 32;  // frames up to 2 KiB

struct FreeBlock {
  FreeBlock* next;
};

// Constant-initialised and trivial, so that access needs no guard.
struct FreeLists {
  std::array<FreeBlock*, classes> heads;
  bool watched;
  bool closed;
};
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
constinit thread_local FreeLists free_lists{};

// Gives the blocks back when the thread ends.
struct Janitor {
  ~Janitor() {
    free_lists.closed = true;
    for (FreeBlock*& head : free_lists.heads) {
      while (head != nullptr) {
        FreeBlock* const block = head;
        head = block->next;
        ::operator delete(block);
      }
    }
  }
};

void watch_thread_end() {
  thread_local Janitor janitor;
  static_cast<void>(janitor);
  free_lists.watched = true;
}

constexpr std::size_t class_of(std::size_t size) {
  return (size - 1) / granule;
}

}  // namespace

void* allocate_frame(std::size_t size) {
  const std::size_t index = class_of(size);
  if (index >= classes) return ::operator new(size);
  FreeBlock*& head = free_lists.heads[index];
  if (head != nullptr) {
    FreeBlock* const block = head;
    head = block->next;
    return block;
  }
  return ::operator new((index + 1) * granule);
}

void free_frame(void* frame, std::size_t size) noexcept {
  const std::size_t index = class_of(size);
  if (index >= classes || free_lists.closed) {
    ::operator delete(frame);
    return;
  }
  if (!free_lists.watched) watch_thread_end();
  auto* const block = static_cast<FreeBlock*>(frame);
  block->next = free_lists.heads[index];
  free_lists.heads[index] = block;
}

#endif

}  // namespace copysim::detail
