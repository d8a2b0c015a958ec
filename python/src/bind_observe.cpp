#include <cstdint>
#include <string>
#include <vector>

#include <copysim/lib/explain.hpp>
#include <copysim/lib/trace.hpp>

#include "bindings.hpp"
#include "work.hpp"

namespace copysim::python {

namespace {

/// One column: `get` of each element of `all` as an array of 64-bit integers.
template <typename Elements, typename Get>
py::array_t<std::int64_t> column(const Elements& all, Get get) {
  py::array_t<std::int64_t> values(static_cast<py::ssize_t>(all.size()));
  std::int64_t* at = values.mutable_data();
  for (const auto& each : all) *at++ = get(each);
  return values;
}

py::list rows_of(const std::vector<PathRow>& path) {
  py::list rows;
  for (const PathRow& row : path) {
    rows.append(py::make_tuple(row.component, row.activity, row.constraint, row.duration.count()));
  }
  return rows;
}

py::dict to_dict(const Explanation& explanation) {
  py::dict all;
  all["policy"] = explanation.policy;
  all["seed"] = explanation.seed;
  all["elapsed_ns"] = explanation.result.elapsed.count();
  all["durable_ns"] = explanation.result.durable.count();
  all["elapsed"] = rows_of(explanation.paths.elapsed);
  all["durable"] = rows_of(explanation.paths.durable);
  return all;
}

py::dict events_of(const Trace& trace, TraceEvent::Layer layer) {
  std::vector<const TraceEvent*> chosen;
  for (const TraceEvent& event : trace.events) {
    if (event.layer == layer) chosen.push_back(&event);
  }
  py::list operation;
  py::list where;
  py::list file;
  py::list status;
  for (const TraceEvent* event : chosen) {
    operation.append(std::string{event->operation});
    where.append(event->where);
    file.append(event->file);
    status.append(std::string{to_string(event->status)});
  }
  py::dict all;
  all["begin_ns"] = column(chosen, [](auto* event) { return event->begin.count(); });
  all["operation"] = operation;
  all["where"] = where;
  all["file"] = file;
  all["offset"] = column(chosen, [](auto* event) { return event->extent.offset.count(); });
  all["length"] = column(chosen, [](auto* event) { return event->extent.length.count(); });
  all["took_ns"] = column(chosen, [](auto* event) { return event->took.count(); });
  all["status"] = status;
  return all;
}

py::dict timeline_of(const Trace& trace) {
  const std::vector<TimelinePoint> points = timeline(trace);
  py::dict all;
  all["time_ns"] = column(points, [](const auto& point) { return point.time.count(); });
  all["read_bytes"] = column(points, [](const auto& point) { return point.read.count(); });
  all["written_bytes"] = column(points, [](const auto& point) { return point.written.count(); });
  all["dirty_bytes"] = column(points, [](const auto& point) { return point.dirty.count(); });
  all["device_read_bytes"] =
      column(points, [](const auto& point) { return point.device_read.count(); });
  all["device_written_bytes"] =
      column(points, [](const auto& point) { return point.device_written.count(); });
  return all;
}

py::dict estimates_of(const Trace& trace) {
  py::dict all;
  all["time_ns"] = column(trace.estimates, [](const auto& each) { return each.at.count(); });
  all["remaining_ns"] =
      column(trace.estimates, [](const auto& each) { return each.remaining.count(); });
  return all;
}

py::dict to_dict(const Trace& trace, const ResolvedScenario& resolved) {
  py::dict all;
  all["policy"] = resolved.config.policy_id;
  all["seed"] = resolved.config.run.seed;
  all["elapsed_ns"] = trace.result.elapsed.count();
  all["durable_ns"] = trace.result.durable.count();
  all["status"] = std::string{to_string(trace.result.status)};
  all["files"] = events_of(trace, TraceEvent::Layer::program);
  all["blocks"] = events_of(trace, TraceEvent::Layer::device);
  all["timeline"] = timeline_of(trace);
  all["estimates"] = estimates_of(trace);
  return all;
}

}  // namespace

void bind_observe(py::module_& m) {
  m.def(
      "explain",
      [](const Scenario& scenario, std::uint64_t replication, const py::list& engines) {
        const PolicyRegistry policies = registry_with(engines);
        return to_dict(without_gil([&] { return explain(scenario, replication, policies); }));
      },
      py::arg("scenario"), py::arg("replication"), py::arg("engines"));
  m.def(
      "trace",
      [](const Scenario& scenario, std::uint64_t replication, const py::list& engines) {
        const ResolvedScenario resolved = scenario.resolve(registry_with(engines));
        return to_dict(without_gil([&] { return record_trace(resolved, replication); }), resolved);
      },
      py::arg("scenario"), py::arg("replication"), py::arg("engines"));
}

}  // namespace copysim::python
