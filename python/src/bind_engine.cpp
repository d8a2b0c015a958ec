#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include <copysim/models/copy/builtin_policies.hpp>
#include <copysim/models/parameter_reader.hpp>

#include "engine.hpp"

namespace copysim::python {

namespace {

/// Lets `settings` read the parameters that a class in Python declares into a new instance.
std::unique_ptr<CopyPolicy> make_engine(const py::handle& prototype, ParameterReader& settings,
                                        const std::shared_ptr<EngineThreads>& threads) {
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
  return std::make_unique<PythonPolicy>(engine, threads);
}

}  // namespace

PolicyRegistry registry_with(const py::list& engines,
                             const std::shared_ptr<EngineThreads>& threads) {
  PolicyRegistry registry = builtin_policies();
  for (const py::handle& engine : engines) {
    const std::shared_ptr<PyObject> prototype{engine.inc_ref().ptr(), [](PyObject* object) {
                                                const py::gil_scoped_acquire gil;
                                                Py_DECREF(object);
                                              }};
    registry.add({engine.attr("id").cast<std::string>(), engine.attr("text").cast<std::string>(),
                  "", [prototype, threads](ParameterReader& settings) {
                    const py::gil_scoped_acquire gil;
                    return make_engine(py::handle{prototype.get()}, settings, threads);
                  }});
  }
  return registry;
}

void bind_engine(py::module_& m) {
  py::class_<Operation, std::shared_ptr<Operation>>(
      m, "Operation",
      "Something that an engine awaits; it happens in simulated time. Await it once, in the engine "
      "whose "
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
