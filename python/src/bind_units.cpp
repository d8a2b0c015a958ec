#include <string>

#include <copysim/lib/statistics.hpp>
#include <copysim/models/quantity.hpp>

#include "bindings.hpp"

namespace copysim::python {

void bind_units(py::module_& m) {
  m.def(
      "parse_bytes", [](const std::string& text) { return parse_bytes(text).count(); },
      py::arg("text"));
  m.def(
      "parse_duration", [](const std::string& text) { return seconds(parse_duration(text)); },
      py::arg("text"));
  m.def(
      "parse_bandwidth",
      [](const std::string& text) { return parse_bandwidth(text).bytes_per_second(); },
      py::arg("text"));
  m.def(
      "bytes_text", [](std::int64_t count) { return to_text(Bytes{count}); },
      py::arg("size_bytes"));
  m.def(
      "duration_text", [](double time) { return to_text(from_seconds(time)); }, py::arg("time_s"));
  m.def(
      "bandwidth_text", [](double rate) { return to_text(Bandwidth{rate}); },
      py::arg("bytes_per_s"));
  m.def(
      "estimate",
      [](const std::vector<double>& samples) {
        const Estimate all = estimate(samples);
        return py::make_tuple(all.mean, all.ci95);
      },
      py::arg("samples"));
}

}  // namespace copysim::python
