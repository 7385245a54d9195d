// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/clock_test.cpp.

#include "webstrata/fetch/wire/clock.h"

#include <time.h>

#include <fstream>

namespace webstrata {
namespace {

template <typename SomeClock>
Moment milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(SomeClock::now().time_since_epoch())
      .count();
}

// Time since boot, including sleep.
Moment machine_age() {
  timespec age{};
  return ::clock_gettime(CLOCK_BOOTTIME, &age) == 0 ? age.tv_sec * 1000 + age.tv_nsec / 1'000'000
                                                    : 0;
}

MachineStart find_machine_start() {
  MachineStart start;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  file >> start.id;
  // Both clocks at the same time: the process may be interrupted between the two.
  for (int tries = 0; tries < 100; ++tries) {
    const Moment before = milliseconds<std::chrono::system_clock>();
    start.moment = before - machine_age();
    if (milliseconds<std::chrono::system_clock>() - before <= 1) break;
  }
  return start;
}

}  // namespace

SystemClock::SystemClock()
    : machine_start_(find_machine_start()),
      wall_start_(std::chrono::system_clock::now().time_since_epoch()),
      steady_start_(std::chrono::steady_clock::now()) {}

// Rounded once, at the end: a delay that one process promised and another keeps must not be short
// by the roundings of both.
Moment SystemClock::now() const {
  const auto passed = std::chrono::steady_clock::now() - steady_start_;
  return std::chrono::duration_cast<std::chrono::milliseconds>(wall_start_ + passed).count();
}

}  // namespace webstrata
