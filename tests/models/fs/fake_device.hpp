#pragma once

#include <vector>

#include <copysim/models/storage/block_device.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// A device that takes 1 ms for every request, one at a time, and notes them all in order.
class FakeDevice final : public BlockDevice {
public:
  explicit FakeDevice(Simulation& sim, Bytes max_request = 64_KiB)
      : sim_{&sim}, one_{sim, 1}, max_request_{max_request} {}

  Task<IoStatus> submit(BlockRequest request) override {
    co_await one_.acquire();
    requests.push_back(request);
    co_await sim_->delay(1ms);
    one_.release();
    co_return IoStatus::ok;
  }
  Task<IoStatus> flush() override {
    ++flushes;
    co_return IoStatus::ok;
  }
  Bytes capacity() const override { return 1_GiB; }
  Bytes max_request() const override { return max_request_; }
  const DeviceCounters& counters() const override { return counters_; }

  [[nodiscard]] std::vector<Extent> writes() const {
    std::vector<Extent> result;
    for (const BlockRequest& request : requests) {
      if (request.access == Access::write) result.push_back(request.extent);
    }
    return result;
  }

  /// For each write, whether it was forced to the medium.
  [[nodiscard]] std::vector<bool> forced() const {
    std::vector<bool> result;
    for (const BlockRequest& request : requests) {
      if (request.access == Access::write) result.push_back(request.force_unit_access);
    }
    return result;
  }

  std::vector<BlockRequest> requests;
  int flushes = 0;

private:
  Simulation* sim_;
  Semaphore one_;
  Bytes max_request_;
  DeviceCounters counters_;
};

}  // namespace copysim
