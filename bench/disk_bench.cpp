// How many requests per second of processor time a measured drive's model serves: the trace of a
// Cheetah 9LP (DiskSim's validation set), over and over. Prints CSV lines (workload, system,
// value).
//
//   copysim_disk_bench FOLDER_OF_TRACES [REQUESTS]

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <iostream>
#include <string>

#include <copysim/lib/validate_disk.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task.hpp>

using namespace copysim;

namespace {

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

BlockRequest block_request(const disksim::TraceRequest& request) {
  return {request.access,
          {sector_size * request.sectors.begin, sector_size * request.sectors.size()},
          false};
}

// The controller alone: request timing without a queue and without events.
Duration serve_timing(const HardDisk::Config& config, const disksim::Trace& trace,
                      std::int64_t count) {
  DiskController disk = HardDisk::make_controller(config, Duration{});
  SimTime now{};
  std::size_t next = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const disksim::TraceRequest& request = trace.requests[next];
    next = next + 1 == trace.requests.size() ? 0 : next + 1;
    now += disk.serve(block_request(request), now).total() + request.gap;
  }
  return now.time_since_epoch();
}

// The whole device in a simulation: queue, events, labels and counters.
Task<> serve_simulated(Simulation& sim, HardDisk& disk, const disksim::Trace& trace,
                       std::int64_t count) {
  std::size_t next = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const disksim::TraceRequest& request = trace.requests[next];
    next = next + 1 == trace.requests.size() ? 0 : next + 1;
    const IoStatus status = co_await disk.submit(block_request(request));
    if (status != IoStatus::ok) throw SimulationError{"the drive failed"};
    co_await sim.delay(request.gap);
  }
}

void print(const char* system, std::int64_t count, double seconds_used, Duration simulated) {
  std::cerr << system << ": " << seconds(simulated) << " s simulated\n";
  std::cout << "disk-trace," << system << ',' << static_cast<double>(count) / seconds_used << '\n';
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc < 2) {
    std::cerr << "usage: copysim_disk_bench FOLDER_OF_TRACES [REQUESTS]\n";
    return 2;
  }
  try {
    const std::string path = std::string{argv[1]} + "/cheetah9LP";
    const std::int64_t count = argc > 2 ? std::atoll(argv[2]) : 2'000'000;
    const HardDisk::Config config = find_validated_drive(path + ".parv").config;
    const disksim::Trace trace = disksim::read_trace(path + ".trace");

    double start = processor_seconds();
    const Duration timed = serve_timing(config, trace, count);
    print("timing", count, processor_seconds() - start, timed);

    Simulation sim;
    HardDisk disk{sim, "disk", config};
    start = processor_seconds();
    sim.run(serve_simulated(sim, disk, trace, count));
    print("device", count, processor_seconds() - start, sim.now().time_since_epoch());
  } catch (const std::exception& error) {
    std::cerr << "copysim_disk_bench: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
