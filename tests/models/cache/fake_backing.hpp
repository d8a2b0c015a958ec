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
    co_await sim_->delay(1ms);
    co_return ReadResult{IoStatus::ok, Content{Origin{9, 0, extent.offset}, extent.length}};
  }
  Task<IoStatus> page_out(Bytes offset, Content content, bool /*to_medium*/) override {
    writes.push_back({offset, content.size()});
    co_await sim_->delay(1ms);
    written.write(offset, content);
    co_return IoStatus::ok;
  }
  Bytes size() const override { return size_; }
  void set_size(Bytes size) { size_ = size; }

  std::vector<Extent> reads;
  std::vector<Extent> writes;
  ContentMap written;

private:
  Simulation* sim_;
  Bytes size_;
};

}  // namespace copysim
