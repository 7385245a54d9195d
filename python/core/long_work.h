// SPDX-License-Identifier: Apache-2.0

// Long work for Python: it runs on a thread of its own while the caller waits without the GIL,
// looks after signals (Ctrl-C), hands progress on, and runs what the work wants from Python.
//
//   LongWork work(progress);
//   return work.run([&] { return pagerank(graph, {.work = work.options(threads)}); });
//
// So everything of Python happens on the thread that called, as if there were no other.

#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>

#include "python/core/bindings.h"
#include "webstrata/base/error.h"
#include "webstrata/base/progress.h"
#include "webstrata/base/threads.h"
#include "webstrata/base/work.h"

namespace webstrata {

class LongWork {
 public:
  // `progress` is called with phase, done, total, unit; None: nobody wants to know.
  // `stop` is called beside cancel() once the work has to end.
  explicit LongWork(nb::object progress, std::function<void()> stop = {})
      : progress_(std::move(progress)), stop_(std::move(stop)) {}

  [[nodiscard]] const CancelToken* cancel() const noexcept { return &cancel_; }
  [[nodiscard]] ProgressCallback progress() {
    if (progress_.is_none()) return {};
    return [this](const Progress& now) {
      const std::lock_guard lock(mutex_);
      latest_ = {std::string(now.phase), now.done, now.total, std::string(now.unit)};
      is_fresh_ = true;
    };
  }
  [[nodiscard]] WorkOptions options(unsigned threads) { return {threads, progress(), &cancel_}; }

  // Runs `work`. Throws what it throws; what a callback or a signal handler raised comes first.
  template <typename Function>
  std::invoke_result_t<Function> run(Function work) {
    using Result = std::invoke_result_t<Function>;
    std::optional<Result> result;
    std::exception_ptr error;
    std::thread worker = start_thread([&] {
      try {
        result.emplace(work());
      } catch (...) {
        error = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      is_done_ = true;
      changed_.notify_all();
    });
    wait();
    {
      const nb::gil_scoped_release release;
      worker.join();
    }
    if (raised_) std::rethrow_exception(raised_);
    if (error) std::rethrow_exception(error);
    return std::move(*result);
  }

  // Called by the work: runs `step` on the thread that called run(), with the GIL. Throws
  // Error(Cancelled) if it raised something, which run() then throws.
  void in_python(const std::function<void()>& step) {
    std::unique_lock lock(mutex_);
    step_ = &step;
    changed_.notify_all();
    changed_.wait(lock, [&] { return step_ == nullptr; });
    lock.unlock();
    cancel_.check();
  }

 private:
  static constexpr std::chrono::milliseconds kLookAround{50};

  struct Latest {
    std::string phase;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::string unit;
  };

  void wait() {
    while (true) {
      const std::function<void()>* step = nullptr;
      bool is_done = false;
      {
        const nb::gil_scoped_release release;
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kLookAround, [&] { return is_done_ || step_ != nullptr; });
        step = step_;
        is_done = is_done_;
      }
      guard([&] { tell_progress(); });
      if (is_done) return;
      guard([] {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
      });
      if (step != nullptr) serve(*step);
    }
  }

  void serve(const std::function<void()>& step) {
    if (!raised_) guard(step);
    const nb::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    step_ = nullptr;
    changed_.notify_all();
  }

  void tell_progress() {
    Latest latest;
    {
      const std::lock_guard lock(mutex_);
      if (!is_fresh_ || raised_) return;
      latest = latest_;
      is_fresh_ = false;
    }
    progress_(latest.phase, latest.done, latest.total, latest.unit);
  }

  // The first thing that Python raises stops the work.
  template <typename Step>
  void guard(const Step& step) {
    try {
      step();
    } catch (...) {
      if (!raised_) raised_ = std::current_exception();
      cancel_.cancel();
      if (stop_) stop_();
    }
  }

  nb::object progress_;
  std::function<void()> stop_;
  CancelToken cancel_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Latest latest_;
  bool is_fresh_ = false;
  bool is_done_ = false;
  const std::function<void()>* step_ = nullptr;
  std::exception_ptr raised_;
};

}  // namespace webstrata
