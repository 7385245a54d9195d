// SPDX-License-Identifier: Apache-2.0

// How long-running work is executed: number of threads, progress, cancellation.
//
// A member of the options of every function that takes a while. Results never depend on the number
// of threads.

#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "webstrata/base/progress.h"

namespace webstrata {

struct WorkOptions {
  unsigned threads = 0;  // 0: one per core
  ProgressCallback progress = {};
  const CancelToken* cancel = nullptr;

  void check_cancelled() const {
    if (cancel != nullptr) cancel->check();
  }
};

// Calls `task` once for every number below `task_count`, on the threads of `work`, and waits.
// Progress is reported in tasks done. Throws the first error of a task, or Error(Cancelled).
void run_tasks(std::size_t task_count, const WorkOptions& work, std::string_view phase,
               const std::function<void(std::size_t)>& task);

// Cuts [0, starts.size() - 1) into at most `part_count` consecutive ranges of about equal weight;
// starts[i] is the weight of everything before item i. Returns the borders: the first is 0, the
// last the number of items, and no range is empty unless there are no items.
std::vector<std::uint64_t> balanced_borders(const std::vector<std::uint64_t>& starts,
                                            std::size_t part_count);

}  // namespace webstrata
