#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <copysim/lib/counters.hpp>
#include <copysim/lib/machine_config.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

class Cpu;
class Directory;
class ProcessStarter;

namespace detail {
class TraceRecorder;
}

/// One simulated computer: processors, memory with its file cache, volumes, as its sheets say.
///
/// It is built from a `HostConfig`; this is the one place that knows concrete models. Its parts are
/// named in labels and random streams after `name`: "client.disk.system". It must not outlive the
/// simulation, and the simulation's tasks must be closed before it goes (`Testbed` does that).
class Machine {
public:
  /// `recorder`, if any, is told what its devices do, and outlives it.
  Machine(Simulation& sim, std::string name, HostConfig config,
          detail::TraceRecorder* recorder = nullptr);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine();

  /// A new directory on the volume `volume`; its files get identities from `first_id` on.
  /// \throws ConfigError if the machine has no such volume; the text lists those it has.
  Directory& add_directory(const std::string& volume, std::uint32_t first_id);

  [[nodiscard]] Cpu& cpu();
  /// Where programs start their processes.
  [[nodiscard]] ProcessStarter& processes();
  /// What waits in its file cache to be written to a device.
  [[nodiscard]] Bytes dirty() const;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const HostConfig& config() const { return config_; }
  /// Appends what it did, by name: "client.disk.system.seeks" and so on.
  void count(Counters& counters) const;

private:
  struct Parts;
  struct MountedVolume;
  MountedVolume& mount(const std::string& volume);

  Simulation* sim_;
  std::string name_;
  HostConfig config_;
  detail::TraceRecorder* recorder_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace copysim
