// SPDX-License-Identifier: Apache-2.0

// Ends calls whose client has stopped reading: they would keep their thread for ever. Private to
// module_*.cpp.
//
//   Watch::Call watched(watch, [&] { context.TryCancel(); });
//   watched.moved();  // after each message written
//   watch.end_stalled();  // from time to time

#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <set>

namespace webstrata::frontier {

class Watch {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kPatience{60};

  class Call {
   public:
    Call(Watch& watch, std::function<void()> cancel) : watch_(watch), cancel_(std::move(cancel)) {
      moved();
      const std::scoped_lock lock(watch_.mutex_);
      watch_.calls_.insert(this);
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() {
      const std::scoped_lock lock(watch_.mutex_);
      watch_.calls_.erase(this);
    }
    void moved() { last_ = Clock::now(); }

   private:
    friend class Watch;
    Watch& watch_;
    std::function<void()> cancel_;
    std::atomic<Clock::time_point> last_;
  };

  void end_stalled(std::chrono::milliseconds patience = kPatience) {
    const std::scoped_lock lock(mutex_);
    for (Call* call : calls_) {
      if (Clock::now() - call->last_.load() > patience) call->cancel_();
    }
  }

 private:
  std::mutex mutex_;
  std::set<Call*> calls_;
};

}  // namespace webstrata::frontier
