// SPDX-License-Identifier: Apache-2.0

#include "webstrata/archive/stack_policy.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace webstrata {
namespace {

using Sizes = std::vector<std::uint64_t>;

TEST(StackPolicy, MergesWhatIsLessThanTwiceAsLarge) {
  EXPECT_EQ(first_merged(Sizes{100, 50}, Merging::WhenDue), 1U);
  EXPECT_EQ(first_merged(Sizes{99, 50}, Merging::WhenDue), 0U);
  // 5 and 3 together are large enough for 15, and 23 for 40, but 63 is not for 200.
  EXPECT_EQ(first_merged(Sizes{1000, 200, 40, 15, 5, 3}, Merging::WhenDue), 2U);
  EXPECT_EQ(first_merged(Sizes{1000, 100, 40, 15, 5, 2}, Merging::WhenDue), 5U);
}

TEST(StackPolicy, LaterAndAllDoAsTheySay) {
  EXPECT_EQ(first_merged(Sizes{10, 10, 10}, Merging::Later), 2U);
  EXPECT_EQ(first_merged(Sizes{1000, 1}, Merging::All), 0U);
}

TEST(StackPolicy, NeverMoreThanEight) {
  const Sizes nine = {1 << 20, 1 << 18, 1 << 16, 1 << 14, 1 << 12, 1 << 10, 1 << 8, 1 << 6, 1};
  EXPECT_EQ(first_merged(nine, Merging::Later), 7U);
  EXPECT_EQ(first_merged(nine, Merging::WhenDue), 7U);
  EXPECT_EQ(first_merged(Sizes(9, 10), Merging::Later), 7U);
}

struct Life {
  std::uint64_t written = 0;
  std::size_t highest = 0;
};

Life live(std::uint64_t base, std::uint64_t daily, std::size_t days) {
  Life life;
  Sizes sizes = {base};
  for (std::size_t day = 0; day < days; ++day) {
    sizes.push_back(daily);
    const std::size_t first = first_merged(sizes, Merging::WhenDue);
    for (; sizes.size() > first + 1; sizes.pop_back()) sizes[sizes.size() - 2] += sizes.back();
    life.written += sizes.back();
    life.highest = std::max(life.highest, sizes.size());
  }
  return life;
}

// A hundred crawls of a thousandth of the base write less than half of it.
TEST(StackPolicy, DailyCrawlsWriteAShareOfTheBase) {
  const Life life = live(1'000'000, 1000, 100);
  EXPECT_LE(life.written, 500'000U);
  EXPECT_LE(life.highest, kStrataMax);
}

// Ten times the days cost about ten times as much, not a hundred times.
TEST(StackPolicy, EachFactIsRewrittenAFewTimes) {
  for (const std::size_t days : {100, 1000, 10'000}) {
    const Life life = live(1000, 1000, days);
    EXPECT_LE(life.highest, kStrataMax);
    double doublings = 1;
    for (std::size_t size = days; size > 1; size /= 2) ++doublings;
    EXPECT_LE(static_cast<double>(life.written), 2 * doublings * 1000.0 * static_cast<double>(days))
        << days;
  }
}

}  // namespace
}  // namespace webstrata
