#include <copysim/lib/trace.hpp>

#include <utility>

#include "run_observed.hpp"
#include "trace_recorder.hpp"

namespace copysim {

Trace record_trace(const ResolvedScenario& scenario, std::uint64_t replication) {
  detail::TraceRecorder recorder;
  Trace trace;
  trace.result = detail::run_observed(scenario, replication, {.recorder = &recorder});
  trace.events = recorder.take();
  trace.estimates = std::move(recorder.estimates);
  return trace;
}

std::vector<TimelinePoint> timeline(const Trace& trace) {
  std::vector<TimelinePoint> points;
  TimelinePoint sum;
  for (const TraceEvent& event : trace.events) {
    const bool reads = event.operation == "read";
    if (!reads && event.operation != "write") continue;
    const bool program = event.layer == TraceEvent::Layer::program;
    Bytes& of_program = reads ? sum.read : sum.written;
    Bytes& of_devices = reads ? sum.device_read : sum.device_written;
    Bytes& moved = program ? of_program : of_devices;
    moved += event.extent.length;
    sum.time = event.begin + event.took;
    sum.dirty = event.dirty;
    points.push_back(sum);
  }
  return points;
}

}  // namespace copysim
