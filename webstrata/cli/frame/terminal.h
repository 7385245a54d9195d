// SPDX-License-Identifier: Apache-2.0

// The progress line on a terminal: what, how much, how fast, how long still. Silent when standard
// error is not a terminal.

#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "webstrata/base/progress.h"

namespace webstrata {

class ProgressLine {
 public:
  explicit ProgressLine(bool wanted = true);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  // A line of the caller's own.
  void show_text(std::string_view text);
  // Takes the line off the screen, so that other output stands alone.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_on_;
  bool is_drawn_ = false;
  std::string phase_;
  Clock::time_point start_ = Clock::now();  // of the phase
  Clock::time_point last_drawn_{};
};

// "reading 312 MB of 1.2 GB (26 %), 95 MB/s, 9 s left"
std::string progress_text(const Progress& progress, double seconds);

}  // namespace webstrata
