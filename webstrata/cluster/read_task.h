// SPDX-License-Identifier: Apache-2.0

// The first step of a merge on a cluster: a task turns some crawl files, or some blocks of the
// present generation, into runs. The keys of a run go to be sorted with all others; its pages stay
// in a file until the uids of its keys are known (page_task.h).

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "webstrata/archive/disk/options.h"
#include "webstrata/archive/gather/run.h"
#include "webstrata/base/report.h"
#include "webstrata/capture/parallel_read.h"
#include "webstrata/cluster/columns.h"

namespace webstrata::cluster {

struct ReadRequest {
  std::vector<std::string> inputs;
  std::string crawl;
  ArchiveOptions options;
  std::filesystem::path archive;  // whose tombstones apply; empty: none
  std::filesystem::path folder;   // where the runs go; it exists
  std::size_t memory_bytes = std::size_t{256} << 20;
};

struct ReadResult {
  std::vector<RunFiles> runs;
  std::vector<InputSummary> summaries;
  Report left_out;
};

// On one thread, so that repeating the task gives the same runs.
ReadResult read_runs(const ReadRequest& request);

// Blocks [first_block, end_block) of a stratum of the current generation.
struct Slice {
  std::size_t stratum = 0;
  std::uint64_t first_block = 0;
  std::uint64_t end_block = 0;
};

// They become a run in `folder`: all their names, and their pages without derived rows. Of a run's
// keys only the rank counts, so a key that is mentioned here and belongs to another block or
// stratum is simply in several runs.
RunFiles read_slice(const std::filesystem::path& archive, const Slice& slice,
                    const std::filesystem::path& folder);

// The keys of a run, batch after batch. They are numbered from 0.
class RunKeys {
 public:
  explicit RunKeys(const RunFiles& files);
  // Replaces `keys`; false at the end.
  bool next(BinaryColumn& keys);

 private:
  std::unique_ptr<FactInput> run_;
};

}  // namespace webstrata::cluster
