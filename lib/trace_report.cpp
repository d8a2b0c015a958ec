#include <cstdint>
#include <map>
#include <string>

#include <copysim/lib/trace.hpp>

#include "report_text.hpp"

namespace copysim {

namespace {

using detail::csv_text;
using detail::json_number;
using detail::json_text;

double microseconds(Duration d) {
  return static_cast<double>(d.count()) / 1000;
}

// Operations overlap, so each is an asynchronous slice of its own; a process per layer, a thread
// per store or device (Trace Event Format, "b" and "e").
void write_chrome(std::ostream& out, const Trace& trace) {
  std::map<std::string, std::size_t> threads;
  const auto thread_of = [&](const std::string& where) {
    return threads.try_emplace(where, threads.size() + 1).first->second;
  };
  out << R"({"displayTimeUnit": "ms", "traceEvents": [)";
  const char* separator = "\n";
  std::size_t id = 0;
  for (const TraceEvent& event : trace.events) {
    const bool program = event.layer == TraceEvent::Layer::program;
    const std::string common = "\"name\": " + json_text(event.operation) +
                               ", \"cat\": " + (program ? "\"program\"" : "\"device\"") +
                               ", \"id\": " + std::to_string(++id) +
                               ", \"pid\": " + (program ? "1" : "2") +
                               ", \"tid\": " + std::to_string(thread_of(event.where));
    out << separator << R"({"ph": "b", )" << common
        << ", \"ts\": " << json_number(microseconds(event.begin)) << R"(, "args": {"file": )"
        << json_text(event.file) << ", \"offset\": " << event.extent.offset.count()
        << ", \"length\": " << event.extent.length.count()
        << ", \"status\": " << json_text(to_string(event.status)) << "}},\n{\"ph\": \"e\", "
        << common << ", \"ts\": " << json_number(microseconds(event.begin + event.took)) << '}';
    separator = ",\n";
  }
  for (const TraceEstimate& estimate : trace.estimates) {
    out << separator << R"({"ph": "C", "name": "estimate", "pid": 1, "ts": )"
        << json_number(microseconds(estimate.at)) << R"(, "args": {"remaining_s": )"
        << json_number(seconds(estimate.remaining)) << "}}";
    separator = ",\n";
  }
  for (const auto& [pid, name] : {std::pair{1, "program"}, std::pair{2, "devices"}}) {
    out << separator << R"({"ph": "M", "name": "process_name", "pid": )" << pid
        << R"(, "args": {"name": ")" << name << "\"}}";
    separator = ",\n";
  }
  for (const auto& [where, thread] : threads) {
    const bool program = where == "source" || where == "target";
    out << ",\n{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": " << (program ? 1 : 2)
        << ", \"tid\": " << thread << R"(, "args": {"name": )" << json_text(where) << "}}";
  }
  out << "\n]}\n";
}

void write_files(std::ostream& out, const Trace& trace) {
  out << "time_s,operation,store,file,offset,length,duration_s,status\n";
  for (const TraceEvent& event : trace.events) {
    if (event.layer != TraceEvent::Layer::program) continue;
    out << json_number(seconds(event.begin)) << ',' << event.operation << ',' << event.where << ','
        << csv_text(event.file) << ',' << event.extent.offset.count() << ','
        << event.extent.length.count() << ',' << json_number(seconds(event.took)) << ','
        << to_string(event.status) << '\n';
  }
}

void write_blocks(std::ostream& out, const Trace& trace) {
  constexpr std::int64_t sector = 512;
  out << "time_s,device,access,sector,sectors,duration_s,status\n";
  for (const TraceEvent& event : trace.events) {
    if (event.layer != TraceEvent::Layer::device) continue;
    out << json_number(seconds(event.begin)) << ',' << csv_text(event.where) << ','
        << event.operation << ',' << event.extent.offset.count() / sector << ','
        << event.extent.length.count() / sector << ',' << json_number(seconds(event.took)) << ','
        << to_string(event.status) << '\n';
  }
}

void write_timeline(std::ostream& out, const Trace& trace) {
  out << "time_s,read_bytes,written_bytes,dirty_bytes,device_read_bytes,device_written_bytes\n";
  for (const TimelinePoint& point : timeline(trace)) {
    out << json_number(seconds(point.time)) << ',' << point.read.count() << ','
        << point.written.count() << ',' << point.dirty.count() << ',' << point.device_read.count()
        << ',' << point.device_written.count() << '\n';
  }
}

}  // namespace

void write_trace(std::ostream& out, const Trace& trace, TraceKind kind) {
  switch (kind) {
    case TraceKind::chrome: {
      write_chrome(out, trace);
      return;
    }
    case TraceKind::files: {
      write_files(out, trace);
      return;
    }
    case TraceKind::blocks: {
      write_blocks(out, trace);
      return;
    }
    case TraceKind::timeline: {
      write_timeline(out, trace);
      return;
    }
  }
}

}  // namespace copysim
