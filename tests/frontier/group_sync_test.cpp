// SPDX-License-Identifier: Apache-2.0

#include "webstrata/frontier/store/group_sync.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace webstrata::frontier {
namespace {

TEST(GroupSync, ASyncThatBeganBeforeAChangeDoesNotCoverIt) {
  std::atomic<int> written = 0;
  std::atomic<int> durable = 0;
  GroupSync sync([&] { durable = written.load(); });
  std::vector<std::thread> writers;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&] {
      for (int k = 0; k < 500; ++k) {
        const int mine = ++written;
        sync.changed();
        if (!sync.wait() || durable < mine) ++wrong;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(wrong, 0);
}

TEST(GroupSync, WithoutChangesNothingIsSynced) {
  int syncs = 0;
  GroupSync sync([&] { ++syncs; });
  EXPECT_TRUE(sync.wait());
  EXPECT_EQ(syncs, 0);
}

TEST(GroupSync, AFailureIsNeverForgotten) {
  GroupSync sync([] { throw std::runtime_error("disk"); });
  sync.changed();
  EXPECT_FALSE(sync.wait());
  EXPECT_FALSE(sync.wait());
}

}  // namespace
}  // namespace webstrata::frontier
