#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/models/storage/disk_controller.hpp>
#include <copysim/models/storage/disk_geometry.hpp>
#include <copysim/models/storage/disk_mechanism.hpp>
#include <copysim/models/storage/disk_scheduler.hpp>
#include <copysim/models/storage/seek_curve.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task.hpp>

namespace copysim {

class DiskQueue;

/// A disk drive with a rotating medium, its buffer, and the queue before it.
///
/// One command has the drive at a time (`DiskController` says how it is served); the rest wait in
/// the queue. With `tagged` the queue is the drive's (SCSI, NCQ), so the electronics decode a
/// command while the one before it runs; else it is the host driver's. The initial angle of the
/// spindle is drawn from the random stream of the device's name: replications differ by it. Each
/// request costs one event, and one more if it has to wait. Not modelled: thermal
/// recalibration, acoustic modes, errors.
class HardDisk final : public BlockDevice {
public:
  struct Config {
    DiskGeometry::Config geometry;
    SeekCurve::Config seek;
    Duration head_switch = 1ms;     ///< 0.1-0.2 ms in 1990s SCSI, 1.4 ms in a Deskstar 60GXP
    Duration write_settle = 500us;  ///< 0.46-0.49 ms in DiskSim's drives (mechanisms.md 8.2)
    bool zero_latency = false;      ///< reading from the middle of a range on; rare before 2000
    DiskController::Overhead overhead;
    std::optional<CommandOverheads> extracted{};  ///< of a measured drive, instead of `overhead`
    Bandwidth bus_rate{100e6};                    ///< Ultra ATA/100
    Bandwidth bus_write_rate{};                   ///< towards the drive; 0: as for reads
    ReadCache::Config read_cache;
    WriteCache::Config write_cache;
    DiskScheduler scheduler = DiskScheduler::c_look;
    int queue_depth = 0;         ///< requests among which the scheduler chooses; 0: all
    bool tagged = false;         ///< whether the drive holds the queue
    Bytes max_request = 64_KiB;  ///< of the host: 64 KiB on XP, 1 MiB on Vista

    static constexpr auto parameters = std::tuple{
        section("geometry", &Config::geometry, "zones and tracks"),
        section("seek", &Config::seek, "arm movement"),
        parameter("head_switch", &Config::head_switch, "change to another surface",
                  at_least(Duration{})),
        parameter("write_settle", &Config::write_settle, "extra settling before a write",
                  at_least(Duration{})),
        parameter("zero_latency", &Config::zero_latency, "read from where the head arrives"),
        section("overhead", &Config::overhead, "command processing"),
        parameter("bus_rate", &Config::bus_rate, "rate between the drive's buffer and the host"),
        section("read_cache", &Config::read_cache, "segments and read-ahead"),
        section("write_cache", &Config::write_cache, "write-back"),
        parameter("scheduler", &Config::scheduler, "fcfs, c-look, sstf or sptf"),
        parameter("queue_depth", &Config::queue_depth, "requests to choose from; 0: all",
                  between(0, 65536)),
        parameter("tagged", &Config::tagged, "the drive holds the queue and decodes ahead"),
        parameter("max_request", &Config::max_request, "largest request of the host driver",
                  at_least(512_B)),
    };
  };

  static constexpr std::string_view id = "hard-disk";

  /// \throws ConfigError if the values do not describe a disk.
  HardDisk(Simulation& sim, std::string_view name, const Config& config);
  HardDisk(const HardDisk&) = delete;
  HardDisk& operator=(const HardDisk&) = delete;
  ~HardDisk() override;

  [[nodiscard]] Task<IoStatus> submit(BlockRequest request) override;
  [[nodiscard]] Task<IoStatus> flush() override;
  [[nodiscard]] Bytes capacity() const override;
  [[nodiscard]] Bytes max_request() const override { return config_.max_request; }
  [[nodiscard]] const DeviceCounters& counters() const override { return counters_; }

  [[nodiscard]] const DiskController& controller() const { return controller_; }

  /// The same drive without a queue and a simulation around it: pure request timing, for traces.
  /// \throws ConfigError as the constructor.
  [[nodiscard]] static DiskController make_controller(const Config& config, Duration initial_angle);

private:
  struct Turn;

  Task<IoStatus> run(BlockRequest request, bool is_flush);
  void hand_over();
  void count(const DiskTimes& times);
  void count(const BlockRequest& request);

  Simulation& sim_;
  Config config_;
  DiskController controller_;
  std::unique_ptr<DiskQueue> queue_;
  DeviceCounters counters_;
  bool busy_ = false;
  Constraint in_queue_;
  Label command_;
  Label seek_;
  Label rotation_;
  Label transfer_;
};

}  // namespace copysim
