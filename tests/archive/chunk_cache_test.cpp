// SPDX-License-Identifier: Apache-2.0
#include "webstrata/archive/read/chunk_cache.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace webstrata {
namespace {

constexpr std::size_t kValueBytes = 1000;

int value_of(ChunkCache& cache, std::uint64_t block, std::size_t& opened) {
  const auto open = [&] {
    ++opened;
    return static_cast<int>(block);
  };
  return *cache.get<int>({Layer::Links, block, 0}, open, [](int) { return kValueBytes; });
}

TEST(ChunkCache, OpensOnceWhatItHasRoomFor) {
  ChunkCache cache(std::size_t{16} << 20);
  std::size_t opened = 0;
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t block = 0; block < 100; ++block) {
      EXPECT_EQ(value_of(cache, block, opened), static_cast<int>(block));
    }
  }
  EXPECT_EQ(opened, 100U);
  EXPECT_EQ(cache.bytes(), 100 * kValueBytes);
}

TEST(ChunkCache, NeverKeepsMoreThanItMay) {
  constexpr std::size_t kBytes = 16 * 5 * kValueBytes;
  ChunkCache cache(kBytes);
  std::size_t opened = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    EXPECT_EQ(value_of(cache, i * 7 % 1000, opened), static_cast<int>(i * 7 % 1000));
    ASSERT_LE(cache.bytes(), kBytes);
  }
}

TEST(ChunkCache, WithoutRoomItStillAnswers) {
  ChunkCache cache(0);
  std::size_t opened = 0;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(value_of(cache, 5, opened), 5);
  EXPECT_EQ(opened, 3U);
}

TEST(ChunkCache, WhatIsAskedForOftenStays) {
  ChunkCache cache(16 * 20 * kValueBytes);
  std::size_t opened_often = 0;
  std::size_t opened = 0;
  value_of(cache, 1'000'000, opened_often);
  for (std::uint64_t block = 0; block < 5000; ++block) {
    value_of(cache, block, opened);
    value_of(cache, 1'000'000, opened_often);
  }
  EXPECT_EQ(opened_often, 1U);
}

TEST(ChunkCache, ThreadsShareIt) {
  ChunkCache cache(16 * 10 * kValueBytes);
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&cache, seed] {
      std::size_t opened = 0;
      for (std::uint64_t i = 0; i < 20000; ++i) {
        const std::uint64_t block = (i * 31 + seed) % 300;
        ASSERT_EQ(value_of(cache, block, opened), static_cast<int>(block));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace webstrata
