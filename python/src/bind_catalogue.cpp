#include <copysim/lib/catalogue.hpp>
#include <copysim/models/copy/builtin_policies.hpp>

#include "bindings.hpp"

namespace copysim::python {

void bind_catalogue(py::module_& m) {
  m.def(
      "catalogue_ids", [](const std::string& kind) { return catalogue().ids(kind); },
      py::arg("kind"));
  m.def(
      "catalogue_text",
      [](const std::string& kind, const std::string& id) {
        return std::string{catalogue().find(kind, id).text};
      },
      py::arg("kind"), py::arg("id"));
  m.def("builtin_policies", [] {
    const PolicyRegistry registry = builtin_policies();
    py::list all;
    for (const PolicyEntry& entry : registry.entries()) {
      all.append(py::make_tuple(entry.id, entry.text, entry.home_system));
    }
    return all;
  });
}

}  // namespace copysim::python
