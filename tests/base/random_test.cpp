// SPDX-License-Identifier: Apache-2.0

// The first numbers of xoshiro256** seeded by splitmix64 from 0 were computed with an independent
// implementation in Python from the published definition.

#include "webstrata/base/random.h"

#include <gtest/gtest.h>

#include <array>

namespace webstrata {
namespace {

TEST(Random, IsXoshiro) {
  Random random(0);
  EXPECT_EQ(random.next(), 0x99ec5f36cb75f2b4U);
  EXPECT_EQ(random.next(), 0xbf6e1f784956452aU);
  EXPECT_EQ(random.next(), 0x1a5f849d4933e6e0U);
}

TEST(Random, BelowIsEvenEnough) {
  Random random(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);  // five standard deviations
}

TEST(Random, UnitStaysBelowOne) {
  Random random(2);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double value = random.unit();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.01);
}

}  // namespace
}  // namespace webstrata
