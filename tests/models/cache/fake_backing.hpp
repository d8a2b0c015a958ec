#pragma once

#include <vector>

#include <copysim/models/cache/backing_file.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// A file on a device that takes 1 ms for every request, whatever its size, and notes them all.
class FakeBacking final : public BackingFile {
public:
  FakeBacking(Simulation& sim, Bytes size) : sim_{&sim}, size_{size} {}

  Task<ReadResult> page_in(Extent extent) override {
    reads.push_back(extent);
    const IoStatus status = read_status;
    co_await sim_->delay(1ms);
    if (status != IoStatus::ok) co_return ReadResult{status};
    co_return ReadResult{IoStatus::ok, Content{Origin{9, 0, extent.offset}, extent.length}};
  }
  Task<IoStatus> page_out(Bytes offset, Content content, bool /*to_medium*/) override {
    writes.push_back({offset, content.size()});
    const IoStatus status = write_status;
    co_await sim_->delay(write_time);
    if (status == IoStatus::ok) written.write(offset, content);
    co_return status;
  }
  Bytes size() const override { return size_; }
  void set_size(Bytes size) { size_ = size; }

  std::vector<Extent> reads;
  std::vector<Extent> writes;
  ContentMap written;
  Duration write_time = 1ms;             ///< of the writes that start from now on
  IoStatus read_status = IoStatus::ok;   ///< what those reads end with
  IoStatus write_status = IoStatus::ok;  ///< what those writes end with

private:
  Simulation* sim_;
  Bytes size_;
};

}  // namespace copysim
