#include <string>

#include <copysim/error.hpp>
#include <copysim/lib/version.hpp>

#include "bindings.hpp"

// ConfigError is a std::invalid_argument, which pybind11 turns into ValueError.
PYBIND11_MODULE(_core, m) {
  namespace python = copysim::python;
  m.doc() = "The C++ core of copysim; import copysim instead.";
  m.attr("__version__") = std::string{copysim::version()};
  python::py::register_exception<copysim::SimulationError>(m, "SimulationError", PyExc_RuntimeError)
      .doc() = "A broken model or a misuse of the simulation, such as a negative delay.";
  python::bind_units(m);
  python::bind_catalogue(m);
  python::bind_scenario(m);
  python::bind_batch(m);
  python::bind_observe(m);
  python::bind_published(m);
  python::bind_engine(m);
}
