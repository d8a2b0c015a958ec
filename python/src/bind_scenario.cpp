#include <string>
#include <variant>
#include <vector>

#include <copysim/lib/scenario.hpp>

#include "bindings.hpp"

namespace copysim::python {

py::object to_python(const SettingValue& value) {
  return std::visit(
      [](const auto& held) -> py::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, UntypedText>) {
          return py::str(held.text);
        } else {
          return py::cast(held);
        }
      },
      value);
}

namespace {

py::dict given(const Scenario& scenario) {
  py::dict all;
  for (const auto& [key, setting] : scenario.settings().all()) {
    all[py::str(key)] = to_python(setting.value);
  }
  return all;
}

py::list effective(const Scenario& scenario, const py::list& engines) {
  py::list all;
  for (const EffectiveSetting& each : scenario.resolve(registry_with(engines)).settings) {
    all.append(py::make_tuple(each.key, to_python(each.value), to_text(each.origin),
                              each.origin.mark, each.origin.source));
  }
  return all;
}

}  // namespace

void bind_scenario(py::module_& m) {
  py::class_<Scenario>(m, "Scenario")
      .def_static("parse", &Scenario::parse, py::arg("toml"), py::arg("file"), py::arg("id"))
      .def_static("load", &load_scenario, py::arg("id_or_path"))
      .def_property_readonly("id", &Scenario::id)
      .def_property_readonly("title", &Scenario::title)
      .def("given", &given)
      .def("effective", &effective, py::arg("engines"))
      .def(
          "with_settings",
          [](const Scenario& scenario, const std::vector<std::string>& assignments,
             const py::list& engines) {
            return scenario.with(assignments, registry_with(engines));
          },
          py::arg("assignments"), py::arg("engines"))
      .def("to_toml", &Scenario::to_toml)
      .def(
          "__eq__", [](const Scenario& a, const Scenario& b) { return a == b; }, py::arg("other"))
      .attr("__hash__") = py::none();
}

}  // namespace copysim::python
