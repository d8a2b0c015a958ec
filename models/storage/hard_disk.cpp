#include <copysim/models/storage/hard_disk.hpp>

#include <algorithm>
#include <array>
#include <string>

#include <copysim/error.hpp>
#include <copysim/sim/signal.hpp>

#include "disk_queue.hpp"

namespace copysim {

namespace {

DiskGeometry make_geometry(const HardDisk::Config& config) {
  DiskGeometry::Config geometry = config.geometry;
  // A skew must cover the switch and a write's settling, or a sequential write loses a revolution
  // at each track. It does in all drives of DiskSim's set (mechanisms.md 8.2).
  if (geometry.track_skew == Duration{})
    geometry.track_skew = config.head_switch + config.write_settle;
  if (geometry.cylinder_skew == Duration{})
    geometry.cylinder_skew =
        std::max(config.seek.track_to_track, config.head_switch) + config.write_settle;
  return DiskGeometry{std::move(geometry)};
}

void check_config(const HardDisk::Config& config) {
  if (config.bus_rate <= Bandwidth{0})
    throw ConfigError{HardDisk::id, "bus_rate must be positive, got " +
                                        std::to_string(config.bus_rate.bytes_per_second()) +
                                        " B/s"};
  if (config.max_request < sector_size || config.max_request % sector_size != Bytes{0})
    throw ConfigError{HardDisk::id, "max_request must be a multiple of 512 B, got " +
                                        std::to_string(config.max_request.count()) + " B"};
}

Duration random_angle(Simulation& sim, std::string_view name, Duration revolution) {
  RandomStream random = sim.random(name);
  return random.uniform(Duration{}, revolution - Duration{1});
}

}  // namespace

DiskController HardDisk::make_controller(const Config& config, Duration initial_angle) {
  check_config(config);
  DiskGeometry geometry = make_geometry(config);
  SeekCurve curve{config.seek, geometry.cylinders()};
  const DiskMechanism::Timing timing{config.head_switch, config.write_settle, config.zero_latency};
  return {{config.overhead, config.extracted, config.bus_rate, config.bus_write_rate,
           config.read_cache, config.write_cache},
          {std::move(geometry), std::move(curve), timing, initial_angle}};
}

/// A request's place in the queue and then its hold on the drive, which its end passes on.
struct HardDisk::Turn : DiskQueueEntry {
  Turn(HardDisk& owner, const BlockRequest& request, bool is_flush)
      : disk{owner}, sim{owner.sim_}, chosen{owner.sim_, "disk queue", owner.in_queue_} {
    access = request.access;
    sector = request.extent.offset / sector_size;
    flush = is_flush;
    arrival = sim.now();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (has_drive && !sim.closing()) disk.hand_over();
  }

  HardDisk& disk;
  Simulation& sim;
  Event chosen;
  bool has_drive = false;
};

HardDisk::HardDisk(Simulation& sim, std::string_view name, const Config& config)
    : sim_{sim},
      config_{config},
      controller_{make_controller(
          config, random_angle(sim, name, DiskGeometry{make_geometry(config)}.revolution()))},
      queue_{std::make_unique<DiskQueue>(config.scheduler, config.queue_depth)},
      in_queue_{sim.constraint("disk queue")},
      command_{sim.label(name, "command")},
      seek_{sim.label(name, "seek")},
      rotation_{sim.label(name, "rotation")},
      transfer_{sim.label(name, "transfer")} {}

HardDisk::~HardDisk() = default;

Bytes HardDisk::capacity() const {
  return sector_size * controller_.mechanism().geometry().sectors();
}

Task<IoStatus> HardDisk::submit(BlockRequest request) {
  const Extent& extent = request.extent;
  if (extent.empty() || extent.offset < Bytes{0} || extent.end() > capacity() ||
      extent.offset % sector_size != Bytes{0} || extent.length % sector_size != Bytes{0})
    throw SimulationError{"hard-disk: a request must be whole sectors inside the disk, got " +
                          std::to_string(extent.length.count()) + " B at " +
                          std::to_string(extent.offset.count())};
  return run(request, false);
}

Task<IoStatus> HardDisk::flush() {
  return run(BlockRequest{}, true);
}

Task<IoStatus> HardDisk::run(BlockRequest request, bool is_flush) {
  Turn turn{*this, request, is_flush};
  if (busy_) {
    queue_->add(turn);
    co_await turn.chosen.wait();
  }
  busy_ = true;
  turn.has_drive = true;

  const SimTime start = sim_.now();
  if (!is_flush) queue_->served(turn.sector, request.extent.end() / sector_size);
  const DiskTimes times =
      is_flush
          ? controller_.flush(start)
          : controller_.serve(request, start, config_.tagged ? start - turn.arrival : Duration{});
  const std::array parts{LabelledPart{command_, times.command}, LabelledPart{seek_, times.seek},
                         LabelledPart{rotation_, times.rotation},
                         LabelledPart{transfer_, times.transfer}};
  co_await sim_.delay(parts);

  count(times);
  if (!is_flush) count(request);
  co_return IoStatus::ok;
}

void HardDisk::hand_over() {
  DiskQueueEntry* next = queue_->take_next(controller_.mechanism(), sim_.now());
  busy_ = next != nullptr;
  if (next == nullptr) return;
  // Only turns enter the queue. It owns the drive from now on, even if it never runs again.
  Turn& turn = static_cast<Turn&>(*next);
  turn.has_drive = true;
  turn.chosen.set();
}

void HardDisk::count(const DiskTimes& times) {
  counters_.overhead_time += times.command;
  counters_.seek_time += times.seek;
  counters_.rotation_time += times.rotation;
  counters_.transfer_time += times.transfer;
  counters_.busy_time += times.total();
  counters_.seeks = controller_.mechanism().seeks();
  counters_.cache_hits = controller_.cache_hits();
  counters_.background_time = controller_.background_time();
}

void HardDisk::count(const BlockRequest& request) {
  if (request.access == Access::read) {
    ++counters_.reads;
    counters_.bytes_read += request.extent.length;
  } else {
    ++counters_.writes;
    counters_.bytes_written += request.extent.length;
  }
}

}  // namespace copysim
