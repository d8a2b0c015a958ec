#include <memory>
#include <string>
#include <utility>

#include <copysim/models/quantity.hpp>
#include <copysim/sim/task_group.hpp>

#include "operations.hpp"

namespace copysim::python {

namespace {

using JobPointer = std::shared_ptr<JobContext>;
using GroupPointer = std::shared_ptr<GroupHandle>;

std::string protocol_name(StoreTraits traits) {
  switch (traits.protocol) {
    case StoreTraits::Protocol::smb1:
      return "smb1";
    case StoreTraits::Protocol::smb2:
      return "smb2";
    case StoreTraits::Protocol::local:
      break;
  }
  return "local";
}

std::shared_ptr<Operation> open_end(const JobPointer& context, std::string end, bool cached,
                                    bool sequential, bool write_through, bool local_buffering) {
  const OpenOptions options{.cached = cached,
                            .sequential = sequential,
                            .write_through = write_through,
                            .local_buffering = local_buffering};
  return operation([context, end = std::move(end), options](Groups&) {
    return open_file(context, options, end);
  });
}

// Seconds as a float, or a datetime.timedelta.
Duration duration_of(const py::object& time) {
  if (py::isinstance<py::str>(time)) return parse_duration(time.cast<std::string>());
  if (py::hasattr(time, "total_seconds")) {
    return from_seconds(time.attr("total_seconds")().cast<double>());
  }
  return from_seconds(time.cast<double>());
}

// A block that was left by an exception gives up its group; closing a coroutine (GeneratorExit)
// does not allow to wait, and the frame that owns the group ends it.
std::shared_ptr<Operation> leave_group(const GroupPointer& handle, const py::object& type,
                                       const py::object&, const py::object&) {
  if (type.is(py::reinterpret_borrow<py::object>(PyExc_GeneratorExit))) {
    return std::make_shared<Operation>(py::none());
  }
  const bool failed = !type.is_none();
  return operation([handle, failed](Groups& groups) {
    return failed ? cancel_group(handle, groups) : join_group(handle, groups);
  });
}

void spawn(const GroupPointer& handle, py::object coroutine) {
  Coroutine body{std::move(coroutine), handle->context};
  handle->context->check_open();
  if (handle->group == nullptr) {
    throw SimulationError{"a group takes work only inside its `async with`"};
  }
  handle->group->spawn(drive(std::move(body)), "part of a copy");
}

}  // namespace

void bind_job(py::module_& m) {
  py::class_<JobContext, JobPointer>(
      m, "CopyJob",
      "The order to copy one file, and the only door through which an engine reaches the simulated "
      "machine.\n\nSizes are in bytes, times in seconds of simulated time.")
      .def_property_readonly(
          "name", [](const JobContext& c) { return c.job.name(); }, "Name of the file.")
      .def_property_readonly(
          "size", [](const JobContext& c) { return c.job.size().count(); },
          "Size of the file in bytes, as the shell listed it.")
      .def_property_readonly(
          "source_protocol",
          [](const JobContext& c) { return protocol_name(c.job.source_traits()); },
          "How the source is reached: \"local\", \"smb1\" or \"smb2\".")
      .def_property_readonly(
          "target_protocol",
          [](const JobContext& c) { return protocol_name(c.job.target_traits()); },
          "How the target is reached: \"local\", \"smb1\" or \"smb2\".")
      .def(
          "open_source",
          [](const JobPointer& c, bool cached, bool sequential, bool write_through, bool local) {
            return open_end(c, "source", cached, sequential, write_through, local);
          },
          py::kw_only(), py::arg("cached") = true, py::arg("sequential") = false,
          py::arg("write_through") = false, py::arg("local_buffering") = true,
          "Open the source; gives a File. `cached=False` bypasses the file cache, `sequential` "
          "doubles read-ahead, `local_buffering=False` does not cache a remote file on this "
          "machine.")
      .def(
          "open_target",
          [](const JobPointer& c, bool cached, bool sequential, bool write_through, bool local) {
            return open_end(c, "target", cached, sequential, write_through, local);
          },
          py::kw_only(), py::arg("cached") = true, py::arg("sequential") = false,
          py::arg("write_through") = false, py::arg("local_buffering") = true,
          "Create the target, or empty it; gives a File. `cached=False` bypasses the file cache, "
          "`sequential` doubles read-ahead, `local_buffering=False` does not cache a remote file "
          "on this machine.")
      .def(
          "query_source",
          [](const JobPointer& c) {
            return operation([c](Groups&) { return query(c, "source"); });
          },
          "Ask for the source's attributes; gives whether it exists.")
      .def(
          "query_target",
          [](const JobPointer& c) {
            return operation([c](Groups&) { return query(c, "target"); });
          },
          "Ask for the target's attributes; gives whether it exists.")
      .def(
          "delay",
          [](const JobPointer& c, const py::object& time) {
            const Duration duration = duration_of(time);
            return operation([c, duration](Groups&) { return delay(c, duration); });
          },
          py::arg("duration_s"),
          "Wait, in seconds (float), as a datetime.timedelta, or as a text with its unit: \"5 "
          "ms\".")
      .def(
          "advanced",
          [](JobContext& c, std::int64_t piece) {
            c.check_open();
            c.job.advanced(Bytes{piece});
          },
          py::arg("size_bytes"), "Tell the progress dialog that so many more bytes are copied.")
      .def(
          "now",
          [](const JobContext& c) {
            c.check_open();
            return seconds(c.job.now().time_since_epoch());
          },
          "The simulated time in seconds since the click.")
      .def(
          "group", [](const JobPointer& c) { return std::make_shared<GroupHandle>(c); },
          "Work side by side: `async with job.group() as group`.");
}

void bind_group(py::module_& m) {
  py::class_<GroupHandle, GroupPointer>(m, "TaskGroup",
                                        "Work side by side: `async with job.group() as group: "
                                        "group.spawn(self.work(...))`.\n\nThe block "
                                        "ends when all that was spawned has ended. If one fails "
                                        "the others are cancelled, and the block "
                                        "raises its exception.")
      .def("spawn", &spawn, py::arg("coroutine"),
           "Start a coroutine beside the others, at the present simulated time.")
      .def("__aenter__",
           [](const py::object& self) {
             const auto handle = self.cast<GroupPointer>();
             return operation([handle](Groups& groups) { return enter_group(handle, groups); });
           })
      .def("__aexit__", &leave_group, py::arg("exception_type"), py::arg("exception"),
           py::arg("traceback"));
}

}  // namespace copysim::python
