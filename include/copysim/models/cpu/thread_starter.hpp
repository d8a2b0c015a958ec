#pragma once

#include <memory>
#include <string>
#include <utility>

#include <copysim/models/cpu/cpu_process.hpp>
#include <copysim/models/cpu/cpu_thread.hpp>

namespace copysim {

/// Starts each process as one thread on shared cores.
class ThreadStarter final : public ProcessStarter {
public:
  /// `cpu` outlives it and what it starts.
  explicit ThreadStarter(SharedCpu& cpu) : cpu_{&cpu} {}

  [[nodiscard]] std::unique_ptr<CpuProcess> start(std::string name) override {
    return std::make_unique<OneThread>(*cpu_, std::move(name));
  }

private:
  class OneThread final : public CpuProcess {
  public:
    OneThread(SharedCpu& cpu, std::string name, OneThread* parent = nullptr)
        : cpu_{&cpu}, parent_{parent}, thread_{cpu, {.name = std::move(name)}} {
      if (parent_ != nullptr) thread_.fork_from(parent_->thread_);
    }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;
    ~OneThread() override {
      if (parent_ != nullptr) thread_.hand_back(parent_->thread_);
    }
    [[nodiscard]] Task<> run(Duration work) override { return thread_.run(work); }
    [[nodiscard]] std::unique_ptr<CpuProcess> fork(std::string name) override {
      return std::make_unique<OneThread>(*cpu_, std::move(name), this);
    }

  private:
    SharedCpu* cpu_;
    OneThread* parent_;
    CpuThread thread_;
  };

  SharedCpu* cpu_;
};

}  // namespace copysim
