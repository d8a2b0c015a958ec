#include <copysim/lib/disksim/drive_file.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "block_reader.hpp"
#include "drive_parts.hpp"

namespace copysim::disksim {

namespace {

constexpr std::int64_t many = 1'000'000'000;
// A bus without a transfer time moves a sector in no time.
constexpr Bandwidth no_bus{1e15};

using SharedBlock = std::shared_ptr<const Block>;

struct DrivePlace {
  SharedBlock drive;
  std::vector<SharedBlock> above;  // buses and controllers between it and the host
};

SharedBlock block_of(const ParameterFile& file, const std::string& component) {
  for (const ParameterFile::Instance& instance : file.instances) {
    const auto& names = instance.components;
    if (std::find(names.begin(), names.end(), component) != names.end())
      return file.find(instance.block);
  }
  return nullptr;
}

// All drives below `component`, with what is above each.
void collect(const ParameterFile& file, const Component& component, std::vector<SharedBlock> above,
             std::vector<DrivePlace>& found) {
  if (const SharedBlock block = block_of(file, component.name)) {
    if (block->type == "disksim_disk") found.push_back({block, above});
    if (block->type == "disksim_bus" || block->type == "disksim_ctlr") above.push_back(block);
  }
  for (const Component& child : component.children) collect(file, child, above, found);
}

DrivePlace find_drive(const ParameterFile& file) {
  std::vector<DrivePlace> found;
  for (const Component& component : file.topology) collect(file, component, {}, found);
  if (found.empty()) {
    for (const SharedBlock& block : file.blocks)
      if (block->type == "disksim_disk") found.push_back({block, {}});
  }
  if (found.empty()) file.place.fail("the file must hold a block of type disksim_disk");
  for (const DrivePlace& other : found) {
    if (other.drive != found.front().drive)
      other.drive->place.fail("the file must hold one drive, got '" + found.front().drive->name +
                              "' and '" + other.drive->name + "'");
  }
  return found.front();
}

Bandwidth bus_rate(const DrivePlace& place, std::string_view bus_key) {
  Duration sector = BlockReader{place.drive}.time("Bulk sector transfer time");
  for (const SharedBlock& block : place.above) {
    const BlockReader reader{block};
    const std::string_view key =
        block->type == "disksim_bus" ? bus_key : "Bulk sector transfer time";
    if (reader.has(key)) sector = std::max(sector, reader.time(key));
  }
  return sector == Duration{} ? no_bus : sector_size / sector;
}

CommandOverheads read_overheads(const BlockReader& disk) {
  const double scale = disk.number("Time scale for overheads", 0, 1000);
  const auto time = [&](std::string_view key) {
    return from_seconds(seconds(disk.time(key)) * scale);
  };
  const Duration each = time("Per-request overhead time");
  const auto both = [&](std::string_view after_read, std::string_view after_write) {
    return CommandOverheads::Case{each + time(after_read), each + time(after_write)};
  };
  CommandOverheads result;
  result.hit = both("Read hit over. after read", "Read hit over. after write");
  result.read = both("Read miss over. after read", "Read miss over. after write");
  result.cached_write = both("Write hit over. after read", "Write hit over. after write");
  result.through_write = both("Write miss over. after read", "Write miss over. after write");
  result.data_preparation = time("Data preparation overhead");
  result.first_reselect = time("First reselect overhead");
  result.other_reselect = time("Other reselect overhead");
  result.read_disconnect = {time("Read disconnect afterread"), time("Read disconnect afterwrite")};
  result.write_disconnect = time("Write disconnect overhead");
  result.read_completion = time("Read completion overhead");
  result.write_completion = time("Write completion overhead");
  result.read_mark = disk.number("High (read) water mark", 0, 1);
  result.least_write_seek = disk.time("Minimum seek delay");
  result.extra_disconnect.happens = disk.flag("Extra write disconnect");
  result.extra_disconnect.command = each + time("Extradisc command overhead");
  result.extra_disconnect.seek_delay = time("Extradisc seek delta");
  result.extra_disconnect.disconnect = time("Extradisc disconnect overhead");
  result.extra_disconnect.pause = disk.time("Extradisc inter-disconnect delay");
  result.extra_disconnect.second_disconnect = time("Extradisc 2nd disconnect overhead");
  return result;
}

DiskReadAheadGoal read_ahead_goal(std::int64_t continuous_read) {
  switch (continuous_read) {
    case 1:
      return DiskReadAheadGoal::track;
    case 2:
      return DiskReadAheadGoal::cylinder;
    case 4:
      return DiskReadAheadGoal::stream;
    default:
      return DiskReadAheadGoal::segment;
  }
}

void read_buffer(const BlockReader& disk, HardDisk::Config& config) {
  const std::int64_t segments = disk.integer("Number of buffer segments", 0, 4096);
  const std::int64_t size = disk.integer("Segment size (in blks)", 1, many);
  const bool separate = disk.flag("Use separate write segment");
  const bool caches = disk.flag("Enable caching in buffer");
  const std::int64_t continuous_read = disk.integer("Buffer continuous read", 0, 4);

  ReadCache::Config& reads = config.read_cache;
  reads.segments =
      caches ? static_cast<int>(std::max<std::int64_t>(0, segments - (separate ? 1 : 0))) : 0;
  reads.segment_size = sector_size * size;
  reads.read_ahead = continuous_read == 0 ? DiskReadAhead::off : DiskReadAhead::until_next;
  reads.goal = read_ahead_goal(continuous_read);
  reads.most = sector_size * disk.integer("Maximum read-ahead (blks)", 0, many);
  reads.after_hit = disk.flag("Read-ahead on idle hit");
  reads.joins_head = disk.flag("Allow almost read hits");
  reads.keeps_passing = disk.flag("Read any free blocks");
  reads.keeps_written = disk.flag("Allow read hits on write data") && !separate;
  reads.write_empties = true;

  WriteCache::Config& writes = config.write_cache;
  writes.enabled = disk.integer("Fast write level", 0, 2) > 0;
  writes.size = writes.batch = sector_size * size;
  writes.idle = Duration{};
  writes.at_once = true;
  // Without prebuffering a write waits for the one before, however many segments there are.
  const std::int64_t runs = disk.integer("Maximum number of write segments", 1, 4096);
  writes.runs = disk.flag("Allow write prebuffering") ? static_cast<int>(runs) : 1;
  writes.hits_pass = disk.flag("Allow sneaky full read hits");
  config.zero_latency = disk.flag("Immediate buffer read");
}

// The numbers of DiskSim's schedulers; those that count positioning come last.
DiskScheduler scheduler(std::int64_t policy) {
  switch (policy) {
    case 1:
      return DiskScheduler::fcfs;
    case 2:
    case 3:
    case 5:
    case 6:
      return DiskScheduler::c_look;
    case 4:
    case 7:
      return DiskScheduler::sstf;
    default:
      return DiskScheduler::sptf;
  }
}

}  // namespace

ImportedDrive read_drive(const std::string& path) {
  const ParameterFile file = read_parameter_file(path);
  const DrivePlace place = find_drive(file);
  const BlockReader disk{place.drive};
  const BlockReader model = disk.child("Model");
  ImportedDrive drive{place.drive->name, {}};
  HardDisk::Config& config = drive.config;
  read_layout(model, config.geometry);
  read_mechanics(model, config);
  read_buffer(disk, config);
  config.extracted = read_overheads(disk);
  config.bus_rate = bus_rate(place, "Read block transfer time");
  config.bus_write_rate = bus_rate(place, "Write block transfer time");
  config.queue_depth = static_cast<int>(disk.integer("Max queue length", 0, 65536));
  config.tagged = config.queue_depth > 1;
  config.scheduler = scheduler(disk.child("Scheduler").integer("Scheduling policy", 1, 100));
  return drive;
}

}  // namespace copysim::disksim
