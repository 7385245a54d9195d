// SPDX-License-Identifier: Apache-2.0

// Tested by tests/base/threads_test.cpp.

#include "webstrata/base/threads.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {

unsigned default_thread_count() noexcept {
  return std::max(1U, std::thread::hardware_concurrency());
}

std::thread start_thread(std::function<void()> work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& refused) {
    throw Error(ErrorKind::Io,
                fmt::format("cannot start a thread: {}; raise the limit of processes (ulimit -u, "
                            "pids of a container) or of memory (ulimit -v)",
                            refused.code().message()));
  }
}

std::vector<std::thread> start_threads(unsigned count, const std::function<void()>& work) {
  std::vector<std::thread> threads;
  // Destroying a thread that is not joined ends the program, so no error may escape here.
  try {
    threads.reserve(count);
    while (threads.size() < count) threads.push_back(start_thread(work));
  } catch (const Error&) {
    // The threads that did start do the work.
  } catch (const std::bad_alloc&) {
    // Likewise.
  }
  return threads;
}

void require_threads(unsigned count) {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_over = false;
  std::vector<std::thread> threads = start_threads(count, [&] {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return is_over; });
  });
  {
    const std::lock_guard lock(mutex);
    is_over = true;
  }
  changed.notify_all();
  for (std::thread& thread : threads) thread.join();
  if (threads.size() == count) return;
  throw Error(ErrorKind::Io,
              fmt::format("cannot start a thread: {} are needed, and only {} can start; raise the "
                          "limit of processes (ulimit -u, pids of a container) or of memory "
                          "(ulimit -v)",
                          count, threads.size()));
}

ThreadPool::ThreadPool(unsigned thread_count) {
  if (thread_count == 0) thread_count = default_thread_count();
  workers_ = start_threads(thread_count, [this] { work(); });
  if (workers_.empty()) workers_.push_back(start_thread([this] { work(); }));
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    tasks_.clear();
  }
  task_given_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::submit(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (first_error_) return;
    tasks_.push_back(std::move(task));
  }
  task_given_.notify_one();
}

void ThreadPool::wait() {
  std::unique_lock lock(mutex_);
  all_done_.wait(lock, [this] { return tasks_.empty() && running_ == 0; });
  if (first_error_) std::rethrow_exception(first_error_);
}

void ThreadPool::cancel() {
  fail(std::make_exception_ptr(Error(ErrorKind::Cancelled, "interrupted")));
}

void ThreadPool::fail(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (!first_error_) first_error_ = std::move(error);
  tasks_.clear();
  cancel_token_.cancel();
  if (running_ == 0) all_done_.notify_all();
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    task_given_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    ++running_;
    lock.unlock();
    try {
      task();
    } catch (...) {
      fail(std::current_exception());
    }
    task = nullptr;
    lock.lock();
    --running_;
    if (tasks_.empty() && running_ == 0) all_done_.notify_all();
  }
}

}  // namespace webstrata
