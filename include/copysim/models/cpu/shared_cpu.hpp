#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <string_view>
#include <tuple>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/sim/label.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/wait_list.hpp>

namespace copysim {

/// A few equal cores that serve all work of a machine in order of arrival, interrupts first.
///
/// Work of the network and of the disks (interrupts and deferred procedure calls) is served before
/// threads that wait, as on Windows, where a deferred procedure call goes before every thread of
/// its processor. Left out: a running thread is not preempted, so an interrupt waits for the end of
/// the piece that the thread runs, which in these models is below 0.1 ms; time slices; affinity.
///
/// Work is given as time on a reference core, and takes `work / speed` here.
class SharedCpu final : public Cpu {
public:
  struct Config {
    int cores = 2;  ///< documented: the test machines of 2008 have two
    /// Speed of a core relative to the reference that all costs are stated for: one core of a
    /// Core 2 of 2.4 GHz (`mechanisms.md` 7.2 states its cycles at that clock).
    double speed = 1.0;

    static constexpr auto parameters = std::tuple{
        parameter("cores", &Config::cores, "cores of the machine", between(1, 1024)),
        parameter("speed", &Config::speed, "speed of a core, where a Core 2 of 2.4 GHz has 1",
                  between(0.001, 1000.0)),
    };
  };

  /// `name` is the machine's in labels, such as "client".
  /// \throws ConfigError if there is no core or the speed is not positive.
  SharedCpu(Simulation& simulation, std::string_view name, Config config);

  [[nodiscard]] Task<> run(Duration work, CpuWork kind) override;
  [[nodiscard]] int cores() const override { return config_.cores; }
  [[nodiscard]] Duration used(CpuWork kind) const override {
    return used_[static_cast<std::size_t>(kind)];
  }

private:
  /// The right to a core: waited for, then held until it goes out of scope.
  class Core {
  public:
    Core(SharedCpu& cpu, WaitList& queue) : cpu_{cpu}, queue_{queue} {}
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;
    ~Core() {
      if (held_ && !queue_.simulation().closing()) cpu_.pass_on();
    }
    [[nodiscard]] bool await_ready() noexcept;
    void await_suspend(std::coroutine_handle<> where) {
      waited_ = true;
      queue_.suspend(where, this);
    }
    void await_resume() const {
      if (waited_) queue_.resumed();
    }

  private:
    friend class SharedCpu;
    SharedCpu& cpu_;
    WaitList& queue_;
    bool held_ = false;
    bool waited_ = false;
  };

  // Gives a core that is no longer used to the next in the queue.
  void pass_on();

  Simulation& simulation_;
  Config config_;
  std::array<Label, 3> labels_;
  WaitList interrupts_;
  WaitList threads_;
  int idle_;
  std::array<Duration, 3> used_{};
};

}  // namespace copysim
