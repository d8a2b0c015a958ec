#include <copysim/sim/task_handle.hpp>

#include <copysim/sim/simulation.hpp>

namespace copysim {

bool TaskHandle::alive() const {
  return simulation_ != nullptr && simulation_->find(slot_, serial_) != nullptr;
}

void TaskHandle::cancel() {
  if (simulation_ == nullptr) return;
  if (auto* const process = simulation_->find(slot_, serial_)) simulation_->cancel(*process);
}

void TaskHandle::interrupt() {
  if (simulation_ == nullptr) return;
  if (auto* const process = simulation_->find(slot_, serial_)) simulation_->interrupt(*process);
}

}  // namespace copysim
