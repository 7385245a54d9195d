// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/law_test.cpp and tests/cluster/cluster_test.cpp.

#include "webstrata/archive/gather/run_gatherer.h"

#include <algorithm>

namespace webstrata {
namespace {

// While facts are read, memory holds batches being filled, the same amount being sorted into a run,
// and what sorting needs.
constexpr std::size_t kGatherPercent = 25;
constexpr std::size_t kBatchBytesMax = std::size_t{16} << 20;

}  // namespace

RunGatherer::RunGatherer(const ArchiveOptions& options, IsForgotten is_forgotten,
                         std::size_t memory_bytes, std::filesystem::path folder)
    : options_(options),
      is_forgotten_(std::move(is_forgotten)),
      memory_bytes_(memory_bytes),
      folder_(std::move(folder)),
      sorters_(1) {}

std::unique_ptr<FactBatch> RunGatherer::make_batch() const {
  return std::make_unique<FactBatch>(options_, is_forgotten_);
}

std::size_t RunGatherer::batch_bytes() const noexcept {
  return std::min(kBatchBytesMax, memory_bytes_ / 32);
}

void RunGatherer::take(std::unique_ptr<FactBatch> batch) {
  std::unique_lock guard(mutex_);
  left_out_.merge(batch->report());
  if (batch->empty()) return;
  gathered_bytes_ += batch->bytes();
  gathered_.push_back(std::move(batch));
  if (gathered_bytes_ >= memory_bytes_ / 100 * kGatherPercent) start_run(guard);
}

// Passes the gathered batches to a sorter, once the previous one has finished.
void RunGatherer::start_run(std::unique_lock<std::mutex>& guard) {
  run_done_.wait(guard, [&] { return !is_sorting_; });
  if (gathered_.empty()) return;
  const auto batches = std::make_shared<std::vector<std::unique_ptr<FactBatch>>>();
  batches->swap(gathered_);
  gathered_bytes_ = 0;
  const std::size_t number = runs_.size();
  const RunFiles files = run_files(folder_, number);
  runs_.push_back(files);
  is_sorting_ = true;
  sorters_.submit([this, batches, files, number] {
    // The flag is cleared whatever happens, so that no thread waits for ever.
    const auto finish = [&] {
      batches->clear();
      const std::lock_guard finished(mutex_);
      is_sorting_ = false;
      run_done_.notify_all();
    };
    try {
      const bool touches_rows = write_run(*batches, files);
      const std::lock_guard written(mutex_);
      runs_[number].touches_rows = touches_rows;
    } catch (...) {
      finish();
      throw;
    }
    finish();
  });
}

const std::vector<RunFiles>& RunGatherer::finish() {
  {
    std::unique_lock guard(mutex_);
    start_run(guard);
  }
  sorters_.wait();
  return runs_;
}

}  // namespace webstrata
