// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/terminal_test.cpp.

#include "webstrata/cli/frame/terminal.h"

#include <unistd.h>

#include <fmt/format.h>

#include "webstrata/base/file.h"
#include "webstrata/base/human.h"
#include "webstrata/base/printable.h"

namespace webstrata {
namespace {

constexpr auto kRedrawAfter = std::chrono::milliseconds(200);

void put(std::string_view text) {
  const auto ignored = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);
}

}  // namespace

std::string progress_text(const Progress& progress, double seconds) {
  std::string text =
      fmt::format("{} {}", progress.phase, human_amount(progress.done, progress.unit));
  const bool has_total = progress.total > 0 && progress.done <= progress.total;
  if (has_total) {
    text += fmt::format(" of {} ({} %)", human_amount(progress.total, progress.unit),
                        progress.done * 100 / progress.total);
  }
  if (seconds < 0.5 || progress.done == 0) return text;
  const double rate = static_cast<double>(progress.done) / seconds;
  text += fmt::format(", {}/s", human_amount(static_cast<std::uint64_t>(rate), progress.unit));
  if (has_total) {
    const double left = static_cast<double>(progress.total - progress.done) / rate;
    text += fmt::format(", {} left", human_duration(left));
  }
  return text;
}

ProgressLine::ProgressLine(bool wanted) : is_on_(wanted && ::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const Progress& progress) {
  const auto now = Clock::now();
  if (progress.phase != phase_) {
    phase_ = progress.phase;
    start_ = now;
  }
  if (!is_on_ || now - last_drawn_ < kRedrawAfter) return;
  last_drawn_ = now;
  is_drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  put("\r\x1b[K" + progress_text(progress, seconds));
}

void ProgressLine::show_text(std::string_view text) {
  const auto now = Clock::now();
  if (!is_on_ || now - last_drawn_ < kRedrawAfter) return;
  last_drawn_ = now;
  is_drawn_ = true;
  put(fmt::format("\r\x1b[K{}", printable(text)));
}

void ProgressLine::clear() {
  if (is_drawn_) put("\r\x1b[K");
  is_drawn_ = false;
}

}  // namespace webstrata
