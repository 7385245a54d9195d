// SPDX-License-Identifier: Apache-2.0
#include "webstrata/base/report.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Report, MergingAddsUp) {
  Report first;
  first.damaged(10, "cut off");
  first.count("links left out", 2);
  Report second;
  second.damaged(20, "junk");
  second.resynchronised(25);
  second.count("links left out");
  second.count("urls too long");
  first.merge(second);
  EXPECT_EQ(first.damage_count(), 2U);
  EXPECT_EQ(first.damages()[1], (Damage{20, "junk"}));
  EXPECT_EQ(first.resynchronised_count(), 1U);
  EXPECT_EQ(first.counts().at("links left out"), 3U);
  EXPECT_EQ(first.counts().at("urls too long"), 1U);
}

TEST(Report, KeepsTheFirstDamagesAndCountsAll) {
  Report report;
  for (std::uint64_t i = 0; i < 2 * Report::kDamagesKept; ++i) report.damaged(i, "junk");
  EXPECT_EQ(report.damages().size(), Report::kDamagesKept);
  EXPECT_EQ(report.damage_count(), 2 * Report::kDamagesKept);
}

TEST(Report, ForgetsWhatAnotherTells) {
  Report report;
  report.damaged(10, "mine");
  report.damaged(20, "not mine");
  report.resynchronised(15);
  report.resynchronised(20);
  report.forget_from(20);
  EXPECT_EQ(report.damages(), (std::vector<Damage>{{10, "mine"}}));
  EXPECT_EQ(report.damage_count(), 1U);
  EXPECT_EQ(report.resynchronised_count(), 1U);
}

}  // namespace
}  // namespace webstrata
