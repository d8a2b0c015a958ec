#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copysim {

/// A named point of a model at which observers can listen, such as "disk.seek".
///
/// Observers only look: they decide nothing and are not events, so attaching one changes no result.
/// They are called in the order of attaching, inside the step that reports. Reporting to nobody
/// costs one test; guard arguments that are dear to make with `if (probe.observed())`.
template <class... Args>
class Probe {
public:
  using Observer = std::function<void(Args...)>;
  using Id = std::uint64_t;

  explicit Probe(std::string_view name = {}) : name_{name} {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool observed() const { return !observers_.empty(); }

  /// Calls `observer` at each report from now on. Not from inside an observer.
  Id attach(Observer observer) {
    observers_.emplace_back(++last_id_, std::move(observer));
    return last_id_;
  }
  /// Stops the calls; an unknown id is ignored. Not from inside an observer.
  void detach(Id id) {
    std::erase_if(observers_, [id](const auto& entry) { return entry.first == id; });
  }

  /// Reports to all observers.
  void operator()(const Args&... args) const {
    if (observers_.empty()) return;
    for (const auto& [id, observer] : observers_) observer(args...);
  }

private:
  std::string name_;
  Id last_id_ = 0;
  std::vector<std::pair<Id, Observer>> observers_;
};

}  // namespace copysim
