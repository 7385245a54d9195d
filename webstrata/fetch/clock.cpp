// Tested by tests/fetch/clock_test.cpp.

#include "webstrata/fetch/clock.h"

#include <chrono>

namespace webstrata {
namespace {

template <typename SomeClock>
Moment milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(SomeClock::now().time_since_epoch())
      .count();
}

}  // namespace

SystemClock::SystemClock()
    : wall_start_(milliseconds<std::chrono::system_clock>()),
      steady_start_(milliseconds<std::chrono::steady_clock>()) {}

Moment SystemClock::now() const {
  return wall_start_ + milliseconds<std::chrono::steady_clock>() - steady_start_;
}

}  // namespace webstrata
