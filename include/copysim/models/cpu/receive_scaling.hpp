#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>

namespace copysim {

/// How a system spreads the receiving of packets over its cores.
enum class ScalingKind : std::uint8_t {
  none,         ///< all on the first core: Windows Server 2003 (article 004)
  shared_base,  ///< receive-side scaling; the adapters interrupt the first core and share one set
  own_base,     ///< receive-side scaling; each adapter interrupts a core and uses a set of its own
};
[[nodiscard]] std::string_view to_string(ScalingKind kind);
[[nodiscard]] constexpr std::array<ScalingKind, 3> all_values(ScalingKind) {
  return {ScalingKind::none, ScalingKind::shared_base, ScalingKind::own_base};
}

/// Which core an adapter interrupts, and which one handles a connection: receive-side scaling of
/// NDIS 6 (`mechanisms.md` 7.4).
class ReceiveScaling {
public:
  struct Config {
    ScalingKind kind = ScalingKind::none;
    int cores = 4;  ///< inferred: default number of cores per adapter in Windows Server 2008

    static constexpr auto parameters = std::tuple{
        parameter("kind", &Config::kind, "none, shared-base or own-base"),
        parameter("cores", &Config::cores, "cores that handle an adapter's packets",
                  between(1, 1024)),
    };
  };

  /// \throws ConfigError if there is no core.
  ReceiveScaling(Config config, int machine_cores);

  [[nodiscard]] bool scales() const { return config_.kind != ScalingKind::none; }
  /// The number of queues that an adapter's packets are sorted into.
  [[nodiscard]] int queues() const { return queues_; }
  [[nodiscard]] int interrupt_core(int adapter) const { return base(adapter); }
  /// The core of a queue of an adapter.
  [[nodiscard]] int core(int adapter, int queue) const {
    return (base(adapter) + queue) % machine_cores_;
  }

private:
  [[nodiscard]] int base(int adapter) const {
    return config_.kind == ScalingKind::own_base ? adapter * queues_ % machine_cores_ : 0;
  }

  Config config_;
  int machine_cores_;
  int queues_;
};

}  // namespace copysim
