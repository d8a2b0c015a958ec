#pragma once

#include <cstddef>
#include <vector>

#include <copysim/models/storage/block_device.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim::test {

// A device that notes what it is asked for and takes the same time for each request, side by side.
class RecordingDevice final : public BlockDevice {
public:
  struct Asked {
    std::size_t device;
    Access access;
    Extent extent;
    SimTime when;
    bool operator==(const Asked&) const = default;
  };

  RecordingDevice(Simulation& sim, std::size_t number, Bytes capacity, Duration each,
                  std::vector<Asked>& log)
      : sim_{sim}, number_{number}, capacity_{capacity}, each_{each}, log_{log} {}

  Task<IoStatus> submit(BlockRequest request) override {
    log_.push_back({number_, request.access, request.extent, sim_.now()});
    co_await sim_.delay(each_);
    counters_.transfer_time += each_;
    (request.access == Access::read ? counters_.reads : counters_.writes) += 1;
    co_return IoStatus::ok;
  }
  Task<IoStatus> flush() override { co_return IoStatus::ok; }
  Bytes capacity() const override { return capacity_; }
  Bytes max_request() const override { return 1_MiB; }
  const DeviceCounters& counters() const override { return counters_; }

private:
  Simulation& sim_;
  std::size_t number_;
  Bytes capacity_;
  Duration each_;
  std::vector<Asked>& log_;
  DeviceCounters counters_;
};

}  // namespace copysim::test
