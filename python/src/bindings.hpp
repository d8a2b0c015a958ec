#pragma once

// The only header that includes pybind11, and the parts of the module `copysim._core`.
//
// Python objects are touched only while the GIL is held. Simulations run without it; what they
// keep of Python takes it for itself (see engine.hpp).

#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <copysim/lib/settings.hpp>
#include <copysim/models/copy/policy_registry.hpp>

namespace copysim::python {

namespace py = pybind11;

void bind_units(py::module_& m);
void bind_catalogue(py::module_& m);
void bind_scenario(py::module_& m);
void bind_batch(py::module_& m);
void bind_observe(py::module_& m);
void bind_published(py::module_& m);
void bind_engine(py::module_& m);
void bind_job(py::module_& m);
void bind_group(py::module_& m);
void bind_file(py::module_& m);
void bind_data(py::module_& m);

/// The threads that run an engine in Python at present, so that one that computes for ever can be
/// interrupted. An engine holds it outside the GIL.
class EngineThreads {
public:
  void enter(unsigned long thread);
  void leave(unsigned long thread);
  /// Raises KeyboardInterrupt in the Python code of each; the GIL must be held.
  void interrupt();

private:
  std::mutex mutex_;
  std::vector<unsigned long> threads_;
};

/// The engines of the library and those of `engines`, instances of `copysim.CopyPolicy`; these note
/// in `threads` where they run. \throws ConfigError if two have one id.
[[nodiscard]] PolicyRegistry registry_with(
    const py::list& engines,
    const std::shared_ptr<EngineThreads>& threads = std::make_shared<EngineThreads>());

/// A setting's value as Python's bool, int, float or str; quantities are texts with their unit.
[[nodiscard]] py::object to_python(const SettingValue& value);

/// The Python exception that stands for a C++ one: its own if it came from Python, ValueError for a
/// ConfigError, `copysim.SimulationError` for a broken model.
[[nodiscard]] py::object to_python(const std::exception_ptr& failure);

}  // namespace copysim::python
