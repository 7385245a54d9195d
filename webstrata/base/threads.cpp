// Tested by tests/base/threads_test.cpp.

#include "webstrata/base/threads.h"

#include <algorithm>
#include <utility>

#include "webstrata/base/error.h"

namespace webstrata {

unsigned default_thread_count() noexcept {
  return std::max(1U, std::thread::hardware_concurrency());
}

ThreadPool::ThreadPool(unsigned thread_count) {
  if (thread_count == 0) thread_count = default_thread_count();
  workers_.reserve(thread_count);
  for (unsigned i = 0; i < thread_count; ++i) workers_.emplace_back([this] { work(); });
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
