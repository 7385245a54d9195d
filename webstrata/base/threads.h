// SPDX-License-Identifier: Apache-2.0

// A fixed set of worker threads that take tasks in the order in which they were given.
//
//   ThreadPool pool(4);
//   for (auto& file : files) pool.submit([&] { read(file); });
//   pool.wait();  // throws the first error that a task threw
//
// After the first error, tasks that have not begun are dropped, and cancel_token() is
// cancelled so that running ones can stop early.

#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "webstrata/base/progress.h"

namespace webstrata {

// Starts a thread. Throws Error(Io) if the system refuses: a container's limit of processes, or of
// memory for the stack.
std::thread start_thread(std::function<void()> work);

// Starts up to `count` threads with the same work: fewer, possibly none, where the system refuses.
std::vector<std::thread> start_threads(unsigned count, const std::function<void()>& work);

// Throws Error(Io) unless `count` more threads can run at once. For libraries that abort the
// program if a thread of theirs cannot start.
void require_threads(unsigned count);

class ThreadPool {
 public:
  // 0 means one thread per core. There may be fewer threads where the system refuses more; throws
  // Error(Io) if it refuses the first.
  explicit ThreadPool(unsigned thread_count = 0);
  // Drops tasks that have not begun and waits for the rest.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void submit(std::function<void()> task);
  // Waits until every task is done or dropped, then throws the first error, if any.
  void wait();
  // Drops tasks that have not begun and asks running ones to stop; wait() then throws
  // Error(Cancelled) unless a task failed before.
  void cancel();

  [[nodiscard]] const CancelToken& cancel_token() const noexcept { return cancel_token_; }
  [[nodiscard]] std::size_t thread_count() const noexcept { return workers_.size(); }

 private:
  void work();
  void fail(std::exception_ptr error);

  std::mutex mutex_;
  std::condition_variable task_given_;
  std::condition_variable all_done_;
  std::deque<std::function<void()>> tasks_;
  std::size_t running_ = 0;
  bool closing_ = false;
  std::exception_ptr first_error_;
  CancelToken cancel_token_;
  std::vector<std::thread> workers_;
};

// The default number of threads.
unsigned default_thread_count() noexcept;

}  // namespace webstrata
