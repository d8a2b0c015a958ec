#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <copysim/lib/trace.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim::detail {

/// Collects the events of one simulation.
class TraceRecorder {
public:
  /// What `TraceEvent::dirty` shows; none shows 0.
  std::function<Bytes()> dirty;
  SimTime started;  ///< when the click was
  std::vector<TraceEstimate> estimates;

  /// Keeps an operation that began at `begin` and ends now.
  void add(const Simulation& sim, SimTime begin, TraceEvent event);
  [[nodiscard]] std::vector<TraceEvent> take() { return std::move(events_); }

private:
  std::vector<TraceEvent> events_;
};

/// A store that passes every call on and tells the recorder, as do the files that it opens.
/// All arguments outlive it.
[[nodiscard]] std::unique_ptr<FileStore> traced(const Simulation& sim, FileStore& store,
                                                std::string where, TraceRecorder& recorder);

/// A device that passes every command on to its own `device` and tells the recorder.
[[nodiscard]] std::unique_ptr<BlockDevice> traced(const Simulation& sim,
                                                  std::unique_ptr<BlockDevice> device,
                                                  std::string where, TraceRecorder& recorder);

}  // namespace copysim::detail
