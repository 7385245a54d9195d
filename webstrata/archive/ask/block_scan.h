// SPDX-License-Identifier: Apache-2.0

// Scans all blocks of an archive on several threads and delivers the results in order.
//
//   scan_blocks<Result>(archive, options, "comparing", [&](std::uint64_t block) { ... },
//                       [&](Result&& result) { ... });

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/ask/comparison.h"
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/base/threads.h"

namespace webstrata {

// `work` is called with the number of a block, on any thread; `take` with its result, in order of
// blocks, on the calling thread. Few results exist at a time.
template <typename Result, typename Work, typename Take>
void scan_blocks(const Archive& archive, const ScanOptions& options, std::string_view phase,
                 Work work, Take take) {
  constexpr std::uint64_t kBlocksPerThread = 2;
  const std::uint64_t block_count = archive.stack().block_count();
  ThreadPool pool(options.work.threads);
  const std::uint64_t wave = pool.thread_count() * kBlocksPerThread;
  for (std::uint64_t first = 0; first < block_count; first += wave) {
    options.work.check_cancelled();
    const std::uint64_t end = std::min(first + wave, block_count);
    std::vector<std::optional<Result>> results(end - first);
    for (std::uint64_t block = first; block < end; ++block) {
      pool.submit([&, block] { results[block - first].emplace(work(block)); });
    }
    pool.wait();
    for (std::optional<Result>& result : results) take(std::move(*result));
    for (std::uint64_t block = first; block < end; ++block) archive.stack().release(block);
    if (options.work.progress) options.work.progress({phase, end, block_count, "blocks"});
  }
}

// The part of a key that identifies its host: "org,example,www)".
inline std::string_view host_of_key(std::string_view key) {
  return key.substr(0, key.find(')') + 1);
}

}  // namespace webstrata
