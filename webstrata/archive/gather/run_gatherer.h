// SPDX-License-Identifier: Apache-2.0

// Gathers batches of facts, and sorts them into runs whenever memory is full.

#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "webstrata/archive/gather/fact_batch.h"
#include "webstrata/archive/gather/run.h"
#include "webstrata/base/report.h"
#include "webstrata/base/threads.h"

namespace webstrata {

class RunGatherer {
 public:
  // Runs are written into `folder`. What `is_forgotten` covers stays out; it may be empty.
  RunGatherer(const ArchiveOptions& options, IsForgotten is_forgotten, std::size_t memory_bytes,
              std::filesystem::path folder);

  [[nodiscard]] const ArchiveOptions& options() const noexcept { return options_; }
  // Replaces `is_forgotten`, before the first batch is made.
  void keep_out(IsForgotten is_forgotten) { is_forgotten_ = std::move(is_forgotten); }
  // A batch to fill, on any thread. The gatherer outlives it.
  [[nodiscard]] std::unique_ptr<FactBatch> make_batch() const;
  // How large a batch should grow before take().
  [[nodiscard]] std::size_t batch_bytes() const noexcept;
  // Takes a batch; any thread may call.
  void take(std::unique_ptr<FactBatch> batch);
  // Sorts what is left, and lists the runs. No more batches may be added.
  const std::vector<RunFiles>& finish();
  // What the batches left out.
  [[nodiscard]] const Report& left_out() const noexcept { return left_out_; }

 private:
  void start_run(std::unique_lock<std::mutex>& guard);

  ArchiveOptions options_;
  IsForgotten is_forgotten_;
  std::size_t memory_bytes_;
  std::filesystem::path folder_;

  std::mutex mutex_;
  std::condition_variable run_done_;
  std::vector<std::unique_ptr<FactBatch>> gathered_;
  std::size_t gathered_bytes_ = 0;
  std::vector<RunFiles> runs_;
  bool is_sorting_ = false;
  Report left_out_;
  ThreadPool sorters_;  // last: its destructor waits for a task that uses the other members
};

}  // namespace webstrata
