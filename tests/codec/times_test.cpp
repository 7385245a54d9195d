// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

constexpr Time kFirst = std::numeric_limits<Time>::min();
constexpr Time kLast = std::numeric_limits<Time>::max();

void expect_times_back(const TimeLists& lists) {
  const std::string bytes = encode_times(lists);
  const auto chunk = TimesChunk::open(bytes);
  ASSERT_EQ(chunk.node_count(), lists.node_count());
  EXPECT_EQ(chunk.time_count(), lists.times.size());
  TimeLists found;
  chunk.decode(found);
  EXPECT_EQ(found.ends, lists.ends);
  EXPECT_EQ(found.times, lists.times);
  std::vector<Time> times;
  for (std::size_t node = 0; node < lists.node_count(); ++node) {
    ASSERT_EQ(chunk.count(node), lists.list(node).size());
    chunk.times(node, times);
    ASSERT_TRUE(std::ranges::equal(times, lists.list(node))) << "node " << node;
  }
  EXPECT_EQ(encode_times(lists), bytes);
}

std::vector<Time> sorted_set(std::vector<Time> times) {
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

// Nodes with up to `count_max` times out of `moments`.
TimeLists made_times(Random& random, std::size_t nodes, double empty_nodes, std::size_t count_max,
                     const std::vector<Time>& moments) {
  TimeLists lists;
  for (std::size_t node = 0; node < nodes; ++node) {
    std::vector<Time> times;
    const std::size_t count = random.chance(empty_nodes) ? 0 : 1 + random.below(count_max);
    for (std::size_t i = 0; i < count; ++i) times.push_back(moments[random.below(moments.size())]);
    lists.add(sorted_set(times));
  }
  return lists;
}

std::vector<Time> made_moments(Random& random, std::size_t count, std::uint64_t span) {
  std::vector<Time> moments;
  for (std::size_t i = 0; i < count; ++i) {
    moments.push_back(static_cast<Time>(span == 0 ? random.next() : random.below(span)) -
                      static_cast<Time>(span / 2));
  }
  return moments;
}

TEST(Times, RandomShapesComeBackWholeAndNodeByNode) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const std::uint64_t span = random.chance(0.1) ? 0 : std::uint64_t{1} << random.below(40);
    const auto moments = made_moments(random, 1 + random.below(2000), span);
    const auto nodes = random.below(300);
    expect_times_back(
        made_times(random, nodes, random.unit(), std::size_t{1} << random.below(8), moments));
    if (HasFailure()) return;
  }
}

TEST(Times, TheFirstAndTheLastMomentOfAllComeBack) {
  TimeLists lists;
  lists.add(std::vector<Time>{kFirst, kLast});
  lists.add({});
  lists.add(std::vector<Time>{kFirst});
  lists.add(std::vector<Time>{-1, 0, 1});
  lists.add(std::vector<Time>{kLast});
  lists.add(std::vector<Time>{kFirst, kFirst + 1, -5, kLast - 1, kLast});
  expect_times_back(lists);
}

TEST(Times, NothingComesBackAsNothing) {
  expect_times_back({});
  TimeLists lists;
  lists.add({});
  lists.add({});
  expect_times_back(lists);
  EXPECT_LE(encode_times(lists).size(), 8U);
}

TEST(Times, ASingleTimeTakesFewBytes) {
  TimeLists lists;
  lists.add(std::vector<Time>{1'400'000'000});
  expect_times_back(lists);
  EXPECT_LE(encode_times(lists).size(), 16U);
}

// A crawl that is stamped with one date.
TEST(Times, OneMomentForAllIsNearlyFree) {
  TimeLists lists;
  for (int node = 0; node < 16'384; ++node) lists.add(std::vector<Time>{1'400'000'000});
  expect_times_back(lists);
  EXPECT_LE(encode_times(lists).size(), 64U);
}

// 20 bits are what a moment in a span of 2^20 seconds takes at least.
TEST(Times, MomentsThatNeverRepeatTakeLittleMoreThanTheyMust) {
  Random random(3);
  TimeLists lists;
  for (int node = 0; node < 10'000; ++node) {
    lists.add(std::vector<Time>{1'400'000'000 + static_cast<Time>(random.below(1 << 20))});
  }
  expect_times_back(lists);
  EXPECT_LE(encode_times(lists).size() * 8, 10'000U * 43 / 2);
}

TEST(Times, ANodeWithManyTimesComesBack) {
  Random random(4);
  TimeLists lists;
  lists.add(sorted_set(made_moments(random, 100'000, std::uint64_t{1} << 30)));
  expect_times_back(lists);
}

// The bytes are part of the format: these hashes may change only with the encoder revision.
TEST(Times, BytesStayAsTheyAre) {
  Random random(5);
  const auto moments = made_moments(random, 1000, std::uint64_t{1} << 30);
  const std::string table = encode_times(made_times(random, 1000, 0.5, 20, moments));
  EXPECT_EQ(table[0], 0);
  EXPECT_EQ(checksum64(table), 8842607140648443262U) << table.size();
  const auto many = made_moments(random, 100'000, std::uint64_t{1} << 30);
  const std::string gaps = encode_times(made_times(random, 1000, 0.5, 1, many));
  EXPECT_EQ(gaps[0], 1);
  EXPECT_EQ(checksum64(gaps), 2648836046900988083U) << gaps.size();
}

void read_all(std::string_view bytes) {
  try {
    const auto chunk = TimesChunk::open(bytes);
    std::vector<Time> times;
    for (std::size_t node = 0; node < std::min<std::size_t>(chunk.node_count(), 100); ++node) {
      try {
        chunk.times(node, times);
        EXPECT_TRUE(std::ranges::is_sorted(times));
      } catch (const Error&) {
      }
    }
    TimeLists lists;
    chunk.decode(lists);
  } catch (const Error&) {
  }
}

// The gap from a moment to itself is 2^64 - 1, which leads back to it.
TEST(Times, AMomentThatComesTwiceIsCorrupt) {
  TimeLists lists;
  lists.add(std::vector<Time>{5, 5});
  const std::string bytes = encode_times(lists);
  TimeLists found;
  EXPECT_THROW(TimesChunk::open(bytes).decode(found), Error);
}

TEST(Times, DamageIsAnErrorOrAnAnswer) {
  Random random(6);
  for (const std::size_t moment_count : {50, 100'000}) {
    const auto moments = made_moments(random, moment_count, std::uint64_t{1} << 30);
    const std::string bytes = encode_times(made_times(random, 100, 0.3, 10, moments));
    for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 64) {
      read_all(std::string_view(bytes).substr(0, size));
    }
    for (int i = 0; i < 1000; ++i) {
      std::string damaged = bytes;
      damaged[random.below(bytes.size())] ^= static_cast<char>(1 << random.below(8));
      read_all(damaged);
    }
  }
}

}  // namespace
}  // namespace webstrata
