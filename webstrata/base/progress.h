// SPDX-License-Identifier: Apache-2.0

// How long-running work reports its progress, and how the caller stops it.
//
// The library calls; it never prints. cli/frame/terminal.h draws a line from these calls.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>

namespace webstrata {

struct Progress {
  std::string_view phase;       // "reading", "merging", ...
  std::uint64_t done = 0;       // in `unit`
  std::uint64_t total = 0;      // 0: not known
  std::string_view unit = "B";  // "B" for bytes, else a plural noun
};

// May be called from any thread, one call at a time.
using ProgressCallback = std::function<void(const Progress&)>;

// Set from outside (also by a signal handler), checked by long-running work.
class CancelToken {
 public:
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool cancelled() const noexcept {
    return cancelled_.load(std::memory_order_relaxed);
  }
  // Throws Error(Cancelled) once cancel() has been called.
  void check() const;

 private:
  std::atomic<bool> cancelled_ = false;
};

}  // namespace webstrata
