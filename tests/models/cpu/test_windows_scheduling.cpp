#include <copysim/models/cpu/windows_scheduling.hpp>

#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("WindowsScheduling boosts a dynamic thread to 15 at most and never a real-time one",
          "[cpu]") {
  WindowsScheduling windows{30ms};
  ThreadState dynamic{.name = "dynamic", .priority = 10};
  ThreadState real_time{.name = "real time", .priority = 16};
  windows.admit(dynamic);
  windows.admit(real_time);

  WindowsScheduling::boost(dynamic, 8);
  WindowsScheduling::boost(real_time, 8);

  CHECK(windows.rank(dynamic) == 15);
  CHECK(windows.rank(real_time) == 16);
}

TEST_CASE("WindowsScheduling takes one level of a boost back with each quantum", "[cpu]") {
  WindowsScheduling windows{30ms};
  ThreadState thread{.name = "thread", .priority = 8};
  windows.admit(thread);
  WindowsScheduling::boost(thread, 2);

  windows.quantum_over(thread);
  CHECK(windows.rank(thread) == 9);
  windows.quantum_over(thread);
  CHECK(windows.rank(thread) == 8);
  windows.quantum_over(thread);
  CHECK(windows.rank(thread) == 8);
}

TEST_CASE("WindowsScheduling lets only a higher level preempt", "[cpu]") {
  const WindowsScheduling windows{30ms};
  const ThreadState eight{.name = "eight", .priority = 8, .current = 8};
  const ThreadState nine{.name = "nine", .priority = 9, .current = 9};

  CHECK(windows.preempts(nine, eight));
  CHECK_FALSE(windows.preempts(eight, eight));
  CHECK_FALSE(windows.preempts(eight, nine));
}

TEST_CASE("WindowsScheduling keeps priorities within 0 and 31", "[cpu]") {
  WindowsScheduling windows{30ms};
  ThreadState thread{.name = "thread", .priority = 40};
  windows.admit(thread);
  CHECK(windows.rank(thread) == 31);
}
