// SPDX-License-Identifier: Apache-2.0

// The clock of everything that fetches: it arrives as an argument, so that a week of crawling runs
// in a second of a test.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "webstrata/base/time.h"

namespace webstrata {

// Milliseconds since 1970 UTC: delays are finer than the seconds of base/time.h.
using Moment = std::int64_t;

constexpr Time seconds_of(Moment moment) noexcept {
  return moment >= 0 ? moment / 1000 : (moment - 999) / 1000;
}

// Identifies the boot of the machine, and its time by the current clock. If a later process finds
// another time for the same boot, the clock was changed in between.
struct MachineStart {
  std::string id = {};  // empty: not known
  Moment moment = 0;
};

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual Moment now() const = 0;
};

// The machine's clock. Time never runs backwards within one process, even if the clock is changed.
class SystemClock : public Clock {
 public:
  SystemClock();
  [[nodiscard]] Moment now() const override;
  [[nodiscard]] const MachineStart& machine_start() const noexcept { return machine_start_; }

 private:
  MachineStart machine_start_;
  std::chrono::nanoseconds wall_start_;  // since 1970
  std::chrono::steady_clock::time_point steady_start_;
};

}  // namespace webstrata
