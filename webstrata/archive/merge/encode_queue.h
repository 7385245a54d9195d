// SPDX-License-Identifier: Apache-2.0

// Work done on several threads, with results delivered in the order of submission.
//
// One thread submits. It waits when too much is in flight, so that memory stays bounded by a few
// pieces of work. With one thread everything is done immediately, in place.

#pragma once

#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>

#include "webstrata/base/threads.h"

namespace webstrata {

// Threads for all queues of one task.
class EncodePool {
 public:
  explicit EncodePool(unsigned threads) {
    const unsigned wanted = threads == 0 ? default_thread_count() : threads;
    if (wanted > 1) pool_.emplace(wanted);
  }
  [[nodiscard]] std::size_t ahead_max() const noexcept { return pool_ ? pool_->thread_count() : 0; }
  void submit(std::function<void()> task) { pool_->submit(std::move(task)); }

 private:
  std::optional<ThreadPool> pool_;
};

template <typename Result>
class EncodeQueue {
 public:
  using Consumer = std::function<void(Result&&)>;

  EncodeQueue(EncodePool& pool, Consumer consume) : pool_(pool), consume_(std::move(consume)) {}
  EncodeQueue(const EncodeQueue&) = delete;
  EncodeQueue& operator=(const EncodeQueue&) = delete;
  ~EncodeQueue() {
    for (auto& result : under_way_) result.wait();  // their arguments may be destroyed
  }

  template <typename Work>
  void submit(Work work) {
    if (pool_.ahead_max() == 0) {
      consume_(work());
      return;
    }
    while (under_way_.size() > pool_.ahead_max()) consume_first();
    auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
    under_way_.push_back(task->get_future());
    pool_.submit([task] { (*task)(); });
  }
  // Waits for all of it.
  void drain() {
    while (!under_way_.empty()) consume_first();
  }

 private:
  void consume_first() {
    std::future<Result> first = std::move(under_way_.front());
    under_way_.pop_front();
    consume_(first.get());
  }

  EncodePool& pool_;
  Consumer consume_;
  std::deque<std::future<Result>> under_way_;
};

}  // namespace webstrata
