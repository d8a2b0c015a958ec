#pragma once

#include <coroutine>
#include <cstdint>
#include <memory>

#include <boost/intrusive/list.hpp>

#include <copysim/sim/calendar.hpp>
#include <copysim/sim/label.hpp>
#include <copysim/sim/path.hpp>

namespace copysim {

class Simulation;
class TaskGroup;
class WaitList;

namespace detail {

struct PromiseBase;

using AutoUnlinkHook =
    boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// What the kernel knows of one thread of control: a spawned task with all that it awaits.
///
/// It waits in at most one place, so one hook and one calendar ticket suffice, whatever it waits
/// for. Hot members come first.
struct Process {
  enum class State : std::uint8_t {
    unused,    // slot is free
    runnable,  // in the calendar's ring: starts, or its wait is over
    delayed,   // in the calendar's heap
    yielding,  // in the ring by a delay of zero
    waiting,   // in a wait list
    running,   // its coroutine executes, or has just ended
  };

  std::coroutine_handle<> resume;  // the innermost coroutine, at which it goes on
  Calendar::Ticket ticket = 0;     // its live calendar entry, or 0
  AutoUnlinkHook hook;             // where it waits
  std::uint32_t slot = 0;
  State state = State::unused;
  bool interrupted = false;  // the present or next wait throws
  bool doomed = false;       // to be cancelled as soon as it does not run
  bool is_main = false;
  WaitList* waits_in = nullptr;
  void* waiter = nullptr;  // the awaiter, for the primitive that it waits for

  Simulation* simulation = nullptr;
  std::coroutine_handle<> root;  // the outermost coroutine; owned
  PromiseBase* promise = nullptr;
  TaskGroup* group = nullptr;  // or none for a main or background task
  AutoUnlinkHook sibling_hook;
  std::uint64_t serial = 0;  // differs for each task that used the slot
  std::unique_ptr<Path> path;
  SimTime waiting_since;
};

using ProcessList =
    boost::intrusive::list<Process,
                           boost::intrusive::member_hook<Process, AutoUnlinkHook, &Process::hook>,
                           boost::intrusive::constant_time_size<false>>;
using SiblingList = boost::intrusive::list<
    Process, boost::intrusive::member_hook<Process, AutoUnlinkHook, &Process::sibling_hook>,
    boost::intrusive::constant_time_size<false>>;

}  // namespace detail

}  // namespace copysim
