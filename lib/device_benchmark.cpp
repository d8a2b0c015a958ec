#include <copysim/lib/device_benchmark.hpp>

#include <algorithm>

#include <copysim/error.hpp>
#include <copysim/sim/task_group.hpp>

namespace copysim {

namespace {

constexpr std::string_view component = "benchmark";
constexpr Bytes sector = 512_B;

Bytes part_of(Bytes capacity, double part) {
  const auto at = static_cast<std::int64_t>(static_cast<double>(capacity.count()) * part);
  return align_down(Bytes{at}, sector);
}

Task<> send(BlockDevice& device, BlockRequest request, BenchmarkReport& report) {
  const IoStatus status = co_await device.submit(request);
  if (status != IoStatus::ok) report.status = status;
}

Task<> send_in_pieces(Simulation& sim, BlockDevice& device, BlockRequest whole,
                      BenchmarkReport& report) {
  const Bytes most = device.max_request();
  TaskGroup pieces{sim};
  for (Bytes at = whole.extent.offset; at < whole.extent.end(); at += most) {
    const Extent piece{at, std::min(most, whole.extent.end() - at)};
    pieces.spawn(send(device, {whole.access, piece, whole.force_unit_access}, report));
  }
  co_await pieces.join();
}

// One of the loops that run side by side.
Task<> request_loop(Simulation& sim, BlockDevice& device, BenchmarkConfig config,
                    RequestSequence& sequence, BenchmarkReport& report, Label host) {
  while (const std::optional<Extent> extent = sequence.next()) {
    if (config.host_time > Duration{}) {
      co_await sim.delay(config.host_time, host);
    }
    const SimTime sent = sim.now();
    const BlockRequest request{config.access, *extent, config.force_unit_access};
    if (extent->length <= device.max_request()) {
      co_await send(device, request, report);
    } else {
      co_await send_in_pieces(sim, device, request, report);
    }
    const Duration service = sim.now() - sent;
    ++report.requests;
    report.bytes += extent->length;
    report.service += service;
    report.longest = std::max(report.longest, service);
  }
}

}  // namespace

std::string_view to_string(Access access) {
  return access == Access::read ? "read" : "write";
}

std::string_view to_string(AccessPattern pattern) {
  switch (pattern) {
    case AccessPattern::sequential:
      return "sequential";
    case AccessPattern::random:
      return "random";
    case AccessPattern::stride:
      return "stride";
    case AccessPattern::alternate:
      return "alternate";
  }
  return "?";
}

RequestSequence::RequestSequence(const BenchmarkConfig& config, Bytes capacity,
                                 const RandomStream& random)
    : config_{config}, random_{random}, first_{part_of(capacity, config.begin)} {
  if (config.request % sector != 0_B || config.stride % sector != 0_B) {
    throw ConfigError{component, "request and stride must be whole sectors of 512 B, got " +
                                     std::to_string(config.request.count()) + " B and " +
                                     std::to_string(config.stride.count()) + " B"};
  }
  if (config.requests == 0 && config.size < config.request) {
    throw ConfigError{component, "size must be at least one request of " +
                                     std::to_string(config.request.count()) + " B, got " +
                                     std::to_string(config.size.count()) + " B"};
  }
  places_ = (part_of(capacity, config.end) - first_) / config.request;
  if (places_ < 1) {
    throw ConfigError{component, "end must leave room for a request behind begin, got " +
                                     std::to_string(config.begin) + " to " +
                                     std::to_string(config.end) + " of " +
                                     std::to_string(capacity.count()) + " B"};
  }
}

std::optional<Extent> RequestSequence::next() {
  if (taken_ == config_.count()) return std::nullopt;
  return Extent{place(taken_++), config_.request};
}

// What passes the region's end goes on at its begin.
Bytes RequestSequence::place(std::int64_t k) {
  if (config_.pattern == AccessPattern::random) {
    const auto at = random_.below(static_cast<std::uint64_t>(places_));
    return first_ + config_.request * static_cast<std::int64_t>(at);
  }
  const Bytes span = config_.request * (places_ - 1);  // from the lowest start to the highest
  const bool alternate = config_.pattern == AccessPattern::alternate;
  const bool sequential = config_.pattern == AccessPattern::sequential;
  const Bytes step = sequential ? config_.request : config_.stride;
  const Bytes turn = span + (sequential ? config_.request : sector);
  const Bytes way = step * (alternate ? k / 2 : k) % turn;
  const bool from_end = alternate ? k % 2 == 1 : config_.backward;
  return first_ + (from_end ? span - way : way);
}

Task<BenchmarkReport> run_benchmark(Simulation& sim, BlockDevice& device, BenchmarkConfig config) {
  RequestSequence sequence{config, device.capacity(), sim.random(component)};
  const Label host = sim.label("host", "request");
  const SimTime start = sim.now();
  BenchmarkReport report;
  {
    TaskGroup loops{sim};
    for (int i = 0; i < config.depth; ++i) {
      loops.spawn(request_loop(sim, device, config, sequence, report, host));
    }
    co_await loops.join();
  }
  report.elapsed = sim.now() - start;
  const IoStatus flushed = co_await device.flush();
  if (report.status == IoStatus::ok) report.status = flushed;
  report.durable = sim.now() - start;
  co_return report;
}

}  // namespace copysim
