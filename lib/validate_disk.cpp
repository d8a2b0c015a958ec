#include <copysim/lib/validate_disk.hpp>

#include <algorithm>
#include <cmath>

#include <copysim/error.hpp>
#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/disksim/drive_file.hpp>
#include <copysim/lib/machine_drive.hpp>
#include <copysim/lib/settings_reader.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task.hpp>
#include <copysim/sim/task_group.hpp>

namespace copysim {

namespace {

BlockRequest block_request(const disksim::TraceRequest& request) {
  return {request.access,
          {sector_size * request.sectors.begin, sector_size * request.sectors.size()},
          false};
}

void check_on_drive(const disksim::Trace& trace, std::int64_t sectors) {
  for (const disksim::TraceRequest& request : trace.requests) {
    if (request.sectors.end <= sectors) continue;
    disksim::Place place = trace.place;
    place.line = request.line;
    place.fail("a request must lie on the drive's " + std::to_string(sectors) +
               " blocks, got block " + std::to_string(request.sectors.end - 1));
  }
}

void serve_one_by_one(const ValidatedDrive& drive, const disksim::Trace& trace,
                      DiskValidation& result) {
  DiskController disk = HardDisk::make_controller(drive.config, Duration{});
  check_on_drive(trace, disk.mechanism().geometry().sectors());
  SimTime now{};
  for (const disksim::TraceRequest& request : trace.requests) {
    const Duration time = disk.serve(block_request(request), now).total();
    ++result.hits[static_cast<std::size_t>(disk.last_hit())];
    result.modelled.push_back(time);
    result.measured.push_back(request.measured);
    now += time + request.gap;
  }
}

Task<> serve_one(Simulation& sim, HardDisk& disk, BlockRequest request, DiskValidation& result,
                 std::size_t number) {
  const SimTime arrival = sim.now();
  const IoStatus status = co_await disk.submit(request);
  if (status != IoStatus::ok) throw SimulationError{"validate-disk: the drive failed"};
  result.modelled[number] = sim.now() - arrival;
  // The next command gets the drive only after this.
  ++result.hits[static_cast<std::size_t>(disk.controller().last_hit())];
}

Task<> replay(Simulation& sim, HardDisk& disk, const disksim::Trace& trace,
              DiskValidation& result) {
  TaskGroup requests{sim};
  for (std::size_t i = 0; i < trace.requests.size(); ++i) {
    co_await sim.delay(trace.requests[i].arrival - sim.now());
    requests.spawn(serve_one(sim, disk, block_request(trace.requests[i]), result, i), "request");
  }
  co_await requests.join();
}

void serve_by_arrival(const ValidatedDrive& drive, const disksim::Trace& trace,
                      DiskValidation& result) {
  Simulation sim;
  HardDisk disk{sim, "disk", drive.config};
  check_on_drive(trace, disk.capacity() / sector_size);
  result.modelled.resize(trace.requests.size());
  sim.run(replay(sim, disk, trace, result));
}

}  // namespace

ValidatedDrive find_validated_drive(const std::string& name) {
  if (name.ends_with(".parv") || name.ends_with(".diskspecs")) {
    disksim::ImportedDrive drive = disksim::read_drive(name);
    return {std::move(drive.name), std::move(drive.config)};
  }
  const Sheet sheet = load_sheet("drives", name);
  DriveConfig drive;
  SettingsReader reader{sheet.settings};
  read_drive(drive, reader);
  reader.finish();
  if (drive.kind != DriveKind::hard_disk)
    throw ConfigError{
        name, "kind must be hard-disk to be validated, got " + std::string{to_string(drive.kind)}};
  return {name, std::move(drive.hard_disk)};
}

DiskValidation validate_disk(const ValidatedDrive& drive, const disksim::Trace& trace) {
  DiskValidation result;
  result.drive = drive.name;
  if (trace.kind == disksim::TraceKind::validate)
    serve_one_by_one(drive, trace, result);
  else
    serve_by_arrival(drive, trace, result);
  return result;
}

double mean_s(const std::vector<Duration>& times) {
  double sum = 0;
  for (const Duration time : times) sum += seconds(time);
  return times.empty() ? 0 : sum / static_cast<double>(times.size());
}

double demerit_s(std::vector<Duration> a, std::vector<Duration> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = seconds(a[i] - b[i]);
    sum += difference * difference;
  }
  return a.empty() ? 0 : std::sqrt(sum / static_cast<double>(a.size()));
}

}  // namespace copysim
