// SPDX-License-Identifier: Apache-2.0

// Tested by tests/frontier/group_sync_test.cpp.

#include "webstrata/frontier/store/group_sync.h"

#include <exception>
#include <future>
#include <utility>

namespace webstrata::frontier {

GroupSync::GroupSync(std::function<void()> sync)
    : sync_(std::move(sync)), thread_([this] { work(); }) {}

GroupSync::~GroupSync() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  woken_.notify_one();
  thread_.join();
}

void GroupSync::changed() {
  const std::scoped_lock lock(mutex_);
  is_dirty_ = true;
}

void GroupSync::then(Then call) {
  {
    const std::scoped_lock lock(mutex_);
    calls_.push_back(std::move(call));
  }
  woken_.notify_one();
}

bool GroupSync::wait() {
  std::promise<bool> done;
  then([&done](bool is_durable) { done.set_value(is_durable); });
  return done.get_future().get();
}

void GroupSync::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    woken_.wait(lock, [this] { return is_ending_ || !calls_.empty(); });
    if (calls_.empty()) return;
    const std::vector<Then> calls = std::exchange(calls_, {});
    const bool needs_sync = std::exchange(is_dirty_, false) && !has_failed_;
    lock.unlock();
    bool is_durable = true;
    try {
      if (needs_sync) sync_();
    } catch (const std::exception&) {
      is_durable = false;
    }
    lock.lock();
    has_failed_ = has_failed_ || !is_durable;
    is_durable = !has_failed_;
    lock.unlock();
    for (const Then& call : calls) call(is_durable);
    lock.lock();
  }
}

}  // namespace webstrata::frontier
