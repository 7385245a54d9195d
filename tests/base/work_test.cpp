// SPDX-License-Identifier: Apache-2.0
#include "webstrata/base/work.h"

#include <gtest/gtest.h>

#include <atomic>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

TEST(RunTasks, EveryTaskRunsOnceAndProgressCountsThem) {
  for (const unsigned threads : {1U, 4U}) {
    std::vector<std::atomic<int>> runs(100);
    std::uint64_t told = 0;
    const ProgressCallback tell = [&](const Progress& progress) { told = progress.done; };
    run_tasks(100, {.threads = threads, .progress = tell}, "testing",
              [&](std::size_t i) { ++runs[i]; });
    for (const auto& count : runs) EXPECT_EQ(count, 1);
    EXPECT_EQ(told, 100U);
  }
}

TEST(RunTasks, HandsOverTheFirstError) {
  for (const unsigned threads : {1U, 4U}) {
    EXPECT_THROW(run_tasks(10, {.threads = threads}, "testing",
                           [](std::size_t) { throw Error(ErrorKind::Corrupt, "broken"); }),
                 Error);
  }
}

TEST(BalancedBorders, CoverEverythingInOrder) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<std::uint64_t> starts = {0};
    for (std::uint64_t i = random.below(30); i > 0; --i) {
      starts.push_back(starts.back() + random.below(5));
    }
    const auto borders = balanced_borders(starts, 1 + random.below(8));
    EXPECT_EQ(borders.front(), 0U);
    EXPECT_EQ(borders.back(), starts.size() - 1);
    for (std::size_t i = 1; i < borders.size(); ++i) EXPECT_LT(borders[i - 1], borders[i]);
  }
}

}  // namespace
}  // namespace webstrata
