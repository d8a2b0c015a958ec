#pragma once

#include <string_view>

#include <copysim/models/storage/block_device.hpp>
#include <copysim/models/storage/flash_translation.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task.hpp>

namespace copysim {

/// Flash behind a bus that takes one command at a time: what a memory card and a USB stick share.
///
/// Data cross the bus while the flash reads or programs: the slower of the two counts. A write
/// completes when it is programmed, since there is no write cache. So
///   time = command + access + max(bytes / bus, bytes / flash) + merge.
/// Left out: the first page of a command, during which the bus and the flash do not yet overlap.
class FlashDevice : public BlockDevice {
public:
  /// How the device's configuration looks from here.
  struct Front {
    std::string_view id;          ///< for messages
    std::string_view constraint;  ///< what a command waits for while another one runs
    Bytes capacity;
    Bandwidth read_rate;  ///< of the bus
    Bandwidth write_rate;
    Duration command;   ///< a command besides its data
    Bytes max_request;  ///< largest command of the host driver
  };

  [[nodiscard]] Task<IoStatus> submit(BlockRequest request) final;
  [[nodiscard]] Task<IoStatus> flush() final;
  [[nodiscard]] Bytes capacity() const final { return front_.capacity; }
  [[nodiscard]] Bytes max_request() const final { return front_.max_request; }
  [[nodiscard]] const DeviceCounters& counters() const final { return counters_; }

protected:
  /// \throws ConfigError if `max_request` is not whole sectors.
  FlashDevice(Simulation& sim, std::string_view name, const Front& front,
              const FlashTranslation::Config& flash);

private:
  Task<IoStatus> run(BlockRequest request);

  Simulation& sim_;
  Front front_;
  FlashTranslation flash_;
  Semaphore command_slot_;
  DeviceCounters counters_;
  Label command_;
  Label access_;
  Label transfer_;
  Label merge_;
};

}  // namespace copysim
