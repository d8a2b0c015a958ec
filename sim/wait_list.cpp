#include <copysim/sim/wait_list.hpp>

namespace copysim {

WaitList::~WaitList() {
  while (!tasks_.empty()) simulation_.stop_waiting(tasks_.front());
}

std::string WaitList::describe() const {
  return name_.empty() ? std::string{kind_} : kind_ + (" '" + name_) + "'";
}

}  // namespace copysim
