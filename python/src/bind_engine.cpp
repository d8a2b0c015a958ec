#include <memory>
#include <string>
#include <utility>

#include <copysim/models/copy/builtin_policies.hpp>
#include <copysim/models/parameter_reader.hpp>
#include <copysim/sim/task_group.hpp>

#include "operations.hpp"

namespace copysim::python {

namespace {

using JobPointer = std::shared_ptr<JobContext>;
using FilePointer = std::shared_ptr<FileHandle>;
using GroupPointer = std::shared_ptr<GroupHandle>;

template <class Start>
std::shared_ptr<Operation> operation(Start start) {
  return std::make_shared<Operation>(Operation::Start{std::move(start)});
}

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

std::shared_ptr<Operation> leave_file(const FilePointer& handle, const py::object& type,
                                      const py::object&, const py::object&) {
  if (handle->closed || type.is(py::reinterpret_borrow<py::object>(PyExc_GeneratorExit))) {
    return std::make_shared<Operation>(py::none());
  }
  return operation([handle](Groups&) { return close_file(handle); });
}

void spawn(const GroupPointer& handle, py::object coroutine) {
  Coroutine body{std::move(coroutine), handle->context};
  handle->context->check_open();
  if (handle->group == nullptr) {
    throw SimulationError{"a group takes work only inside its `async with`"};
  }
  handle->group->spawn(drive(std::move(body)), "part of a copy");
}

void bind_job(py::module_& m) {
  py::class_<JobContext, JobPointer>(
      m, "CopyJob",
      "The order to copy one file, and the only door through which an engine reaches the simulated "
      "machine.\n\nSizes are in bytes, times in seconds of simulated time.")
      .def_property_readonly("name", [](const JobContext& c) { return c.job.name(); })
      .def_property_readonly("size", [](const JobContext& c) { return c.job.size().count(); })
      .def_property_readonly(
          "source_protocol",
          [](const JobContext& c) { return protocol_name(c.job.source_traits()); })
      .def_property_readonly(
          "target_protocol",
          [](const JobContext& c) { return protocol_name(c.job.target_traits()); })
      .def(
          "open_source",
          [](const JobPointer& c, bool cached, bool sequential, bool write_through, bool local) {
            return open_end(c, "source", cached, sequential, write_through, local);
          },
          py::kw_only(), py::arg("cached") = true, py::arg("sequential") = false,
          py::arg("write_through") = false, py::arg("local_buffering") = true)
      .def(
          "open_target",
          [](const JobPointer& c, bool cached, bool sequential, bool write_through, bool local) {
            return open_end(c, "target", cached, sequential, write_through, local);
          },
          py::kw_only(), py::arg("cached") = true, py::arg("sequential") = false,
          py::arg("write_through") = false, py::arg("local_buffering") = true)
      .def("query_source",
           [](const JobPointer& c) {
             return operation([c](Groups&) { return query(c, "source"); });
           })
      .def("query_target",
           [](const JobPointer& c) {
             return operation([c](Groups&) { return query(c, "target"); });
           })
      .def(
          "delay",
          [](const JobPointer& c, const py::object& time) {
            const Duration duration = duration_of(time);
            return operation([c, duration](Groups&) { return delay(c, duration); });
          },
          py::arg("duration_s"))
      .def(
          "advanced",
          [](JobContext& c, std::int64_t piece) {
            c.check_open();
            c.job.advanced(Bytes{piece});
          },
          py::arg("size_bytes"))
      .def("now",
           [](const JobContext& c) {
             c.check_open();
             return seconds(c.job.now().time_since_epoch());
           })
      .def("group", [](const JobPointer& c) { return std::make_shared<GroupHandle>(c); });
}

void bind_file(py::module_& m) {
  py::class_<FileHandle, FilePointer>(
      m, "File",
      "An open file of a copy, local or remote, cached or not, as a program sees it through a "
      "handle.\n\nUse it in `async with`, or await `close()`. Several reads and writes may be under "
      "way at once, see `CopyJob.group`. Sizes and offsets are in bytes.")
      .def_property_readonly("size", [](const FileHandle& f) { return f.get().size().count(); })
      .def_readonly("closed", &FileHandle::closed)
      .def(
          "read",
          [](const FilePointer& f, std::int64_t offset, std::int64_t size) {
            const Extent extent{Bytes{offset}, Bytes{size}};
            if (offset < 0 || size < 0)
              throw py::value_error("read: offset and size must not be negative");
            return operation([f, extent](Groups&) { return read(f, extent); });
          },
          py::arg("offset_bytes"), py::arg("size_bytes"))
      .def(
          "write",
          [](const FilePointer& f, std::int64_t offset, const Content& data) {
            if (offset < 0) throw py::value_error("write: offset must not be negative");
            return operation([f, offset, data](Groups&) { return write(f, Bytes{offset}, data); });
          },
          py::arg("offset_bytes"), py::arg("data"))
      .def(
          "set_size",
          [](const FilePointer& f, std::int64_t size) {
            if (size < 0) throw py::value_error("set_size: size must not be negative");
            return operation([f, size](Groups&) { return set_size(f, Bytes{size}); });
          },
          py::arg("size_bytes"))
      .def("set_times",
           [](const FilePointer& f) { return operation([f](Groups&) { return set_times(f); }); })
      .def("flush",
           [](const FilePointer& f) { return operation([f](Groups&) { return flush(f); }); })
      .def("close",
           [](const FilePointer& f) { return operation([f](Groups&) { return close_file(f); }); })
      .def("__aenter__", [](const py::object& self) { return std::make_shared<Operation>(self); })
      .def("__aexit__", &leave_file, py::arg("exception_type"), py::arg("exception"),
           py::arg("traceback"));
}

void bind_group(py::module_& m) {
  py::class_<GroupHandle, GroupPointer>(
      m, "TaskGroup",
      "Work side by side: `async with job.group() as group: group.spawn(self.work(...))`.\n\nThe block "
      "ends when all that was spawned has ended. If one fails the others are cancelled, and the block "
      "raises its exception.")
      .def("spawn", &spawn, py::arg("coroutine"))
      .def("__aenter__",
           [](const py::object& self) {
             const auto handle = self.cast<GroupPointer>();
             return operation([handle](Groups& groups) { return enter_group(handle, groups); });
           })
      .def("__aexit__", &leave_group, py::arg("exception_type"), py::arg("exception"),
           py::arg("traceback"));
}

void bind_data(py::module_& m) {
  py::class_<Content>(
      m, "Data",
      "What a read gave: the identity of each byte instead of the byte itself.\n\n`len(data)` is its "
      "size in bytes; `data[a:b]` is a part of it, to write in pieces.")
      .def("__len__", [](const Content& data) { return data.size().count(); })
      .def(
          "__getitem__",
          [](const Content& data, const py::slice& slice) {
            py::ssize_t start = 0;
            py::ssize_t stop = 0;
            py::ssize_t step = 0;
            py::ssize_t length = 0;
            if (!slice.compute(data.size().count(), &start, &stop, &step, &length)) {
              throw py::error_already_set{};
            }
            if (step != 1) throw py::value_error("data can be cut with a step of 1 only");
            return data.slice({Bytes{start}, Bytes{length}});
          },
          py::arg("part"))
      .def(
          "__eq__", [](const Content& a, const Content& b) { return a == b; }, py::arg("other"))
      .attr("__hash__") = py::none();
}

/// Lets `settings` read the parameters that a class in Python declares into a new instance.
std::unique_ptr<CopyPolicy> make_engine(const py::handle& prototype, ParameterReader& settings) {
  const py::object engine = py::module_::import("copy").attr("copy")(prototype);
  for (const py::handle& each : prototype.attr("_declared")()) {
    const auto [name, kind, text] = each.cast<std::tuple<std::string, std::string, std::string>>();
    const py::object held = engine.attr(name.c_str());
    const auto read_as = [&](auto value) {
      read_value(name, text, value, {}, settings);
      return value;
    };
    py::object value;
    if (kind == "bytes") {
      value = py::cast(read_as(Bytes{held.cast<std::int64_t>()}).count());
    } else if (kind == "seconds") {
      value = py::cast(seconds(read_as(from_seconds(held.cast<double>()))));
    } else if (kind == "bytes_per_s") {
      value = py::cast(read_as(Bandwidth{held.cast<double>()}).bytes_per_second());
    } else if (kind == "bool") {
      value = py::cast(read_as(held.cast<bool>()));
    } else if (kind == "int") {
      value = py::cast(read_as(held.cast<std::int64_t>()));
    } else if (kind == "float") {
      value = py::cast(read_as(held.cast<double>()));
    } else {
      value = py::cast(read_as(held.cast<std::string>()));
    }
    py::setattr(engine, name.c_str(), value);
  }
  return std::make_unique<PythonPolicy>(engine);
}

}  // namespace

PolicyRegistry registry_with(const py::list& engines) {
  PolicyRegistry registry = builtin_policies();
  for (const py::handle& engine : engines) {
    const std::shared_ptr<PyObject> prototype{engine.inc_ref().ptr(), [](PyObject* object) {
                                                const py::gil_scoped_acquire gil;
                                                Py_DECREF(object);
                                              }};
    registry.add({engine.attr("id").cast<std::string>(), engine.attr("text").cast<std::string>(),
                  "", [prototype](ParameterReader& settings) {
                    const py::gil_scoped_acquire gil;
                    return make_engine(py::handle{prototype.get()}, settings);
                  }});
  }
  return registry;
}

void bind_engine(py::module_& m) {
  py::class_<Operation, std::shared_ptr<Operation>>(
      m, "Operation",
      "Something that an engine awaits; it happens in simulated time. Await it once, in the engine whose "
      "job made it. A failure is raised as `IoFailure`.")
      .def("__await__", [](const py::object& self) { return self; })
      .def("__iter__", [](const py::object& self) { return self; })
      .def("__next__", &Operation::next);
  bind_data(m);
  bind_file(m);
  bind_group(m);
  bind_job(m);
}

}  // namespace copysim::python
