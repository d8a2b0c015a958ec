#include <copysim/sim/stop_scope.hpp>

#include <utility>

namespace copysim {

namespace {

// A simulation belongs to one thread, and so does the wish to end it.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
constinit thread_local const std::stop_token* innermost = nullptr;

}  // namespace

StopScope::StopScope(std::stop_token stop)
    : stop_{std::move(stop)}, outer_{std::exchange(innermost, &stop_)} {}

StopScope::~StopScope() {
  innermost = outer_;
}

bool StopScope::stop_requested() {
  return innermost != nullptr && innermost->stop_requested();
}

}  // namespace copysim
