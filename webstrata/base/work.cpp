// SPDX-License-Identifier: Apache-2.0

// Tested by tests/base/work_test.cpp.

#include "webstrata/base/work.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "webstrata/base/threads.h"

namespace webstrata {

void run_tasks(std::size_t task_count, const WorkOptions& work, std::string_view phase,
               const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t done = 0;
  const auto take_tasks = [&](const CancelToken* failed) {
    for (std::size_t i = next++; i < task_count; i = next++) {
      work.check_cancelled();
      if (failed != nullptr && failed->cancelled()) return;
      task(i);
      if (!work.progress) continue;
      const std::lock_guard lock(mutex);
      work.progress({phase, ++done, task_count, "parts"});
    }
  };
  const std::size_t wanted = work.threads == 0 ? default_thread_count() : work.threads;
  const std::size_t threads = std::min(wanted, task_count);
  if (threads <= 1) return take_tasks(nullptr);
  ThreadPool pool(static_cast<unsigned>(threads));
  for (std::size_t i = 0; i < threads; ++i) {
    pool.submit([&] { take_tasks(&pool.cancel_token()); });
  }
  pool.wait();
}

std::vector<std::uint64_t> balanced_borders(const std::vector<std::uint64_t>& starts,
                                            std::size_t part_count) {
  const std::uint64_t items = starts.size() - 1;
  const std::uint64_t parts = std::max<std::size_t>(1, part_count);
  std::vector<std::uint64_t> borders = {0};
  for (std::uint64_t part = 1; part < parts; ++part) {
    const std::uint64_t weight = starts.back() / parts * part;
    const auto border = static_cast<std::uint64_t>(
        std::lower_bound(starts.begin(), starts.end(), weight) - starts.begin());
    if (border > borders.back() && border < items) borders.push_back(border);
  }
  if (items > 0) borders.push_back(items);
  return borders;
}

}  // namespace webstrata
