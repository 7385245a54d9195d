// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/recrawl_plan.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr Time kDay = 86400;
const double kRate = -std::log((10 - 4 + 0.5) / (10 + 0.5)) / 3;  // Cho and Garcia-Molina

// Pages 0, 1 and 2 were captured (first 1, then 0, then 2), 3 and 4 never. Page 0: 10 looks 3 days
// apart, 4 changes. Page 1: 10 looks, none. Page 2: once, on day 39, which is the last day.
Snapshot small_graph() {
  NodeColumns columns;
  columns.first_capture = Column<Time>(5);
  columns.last_capture = Column<Time>(5);
  columns.captures = Column<std::uint32_t>(std::vector<std::uint32_t>{11, 11, 1, 0, 0});
  columns.changes_seen = Column<std::uint32_t>(5);
  columns.span = Column<Time>(5);
  const auto set = [&](Node node, Time first, std::uint32_t changes, Time span) {
    columns.first_capture.set(node, first);
    columns.last_capture.set(node, first + span);
    columns.changes_seen.set(node, changes);
    columns.span.set(node, span);
  };
  set(0, 5 * kDay, 4, 30 * kDay);
  set(1, 0, 0, 30 * kDay);
  set(2, 39 * kDay, 0, 0);
  return Snapshot::from_links(5, {{0, 1}, {0, 3}, {1, 0}, {1, 2}, {2, 3}, {2, 4}})
      .with_node_columns(columns);
}

const PlannedPage* page_of(const RecrawlPlan& plan, Node node) {
  const auto found = std::ranges::find(plan.pages, node, &PlannedPage::node);
  return found == plan.pages.end() ? nullptr : &*found;
}

TEST(RecrawlPlan, RatesComeFromCapturesAndChanges) {
  const std::vector<double> scores = {2, 3, 1, 0, 0};
  const CapturedPages known = captured_pages(small_graph(), scores);
  EXPECT_EQ(known.nodes, (std::vector<Node>{1, 0, 2}));
  EXPECT_EQ(known.pages[0].rate, 0);
  EXPECT_NEAR(known.pages[1].rate, kRate, 1e-12);
  EXPECT_NEAR(known.mean_rate, kRate / 2, 1e-12);
  EXPECT_NEAR(known.pages[2].rate, kRate / 2, 1e-12);  // seen once: the mean of the others
  EXPECT_EQ(known.without_rate, 1U);
  EXPECT_EQ(known.pages[1].weight, 2);
  EXPECT_EQ(known.days_since, (std::vector<double>{9, 4, 0}));
}

// Page 3 is on a host that was captured, page 4 is not.
TEST(RecrawlPlan, NewPagesOnOtherHostsAreLeftOut) {
  auto names = std::make_shared<NameList>();
  for (const char* name : {"http://a.example/0", "http://a.example/1", "http://b.example/2",
                           "http://b.example/3", "http://c.example/4"}) {
    names->add(name);
  }
  const SimulatedWeb web(small_graph().with_names(names), {2, 3, 1, 0, 0}, {});
  const RecrawlPlan plan = plan_recrawl(web, "nh-n-sum", {.budget = 4, .days = 30});
  EXPECT_EQ(plan.linked, 1U);
  EXPECT_EQ(plan.off_site, 1U);
  EXPECT_NE(page_of(plan, 3), nullptr);
  EXPECT_EQ(page_of(plan, 4), nullptr);
  EXPECT_NEAR(plan.new_visits + plan.known_visits, 4, 1e-9);
  const RecrawlPlan all =
      plan_recrawl(web, "nh-n-sum", {.budget = 4, .days = 30, .off_site = true});
  EXPECT_EQ(all.linked, 2U);
  EXPECT_NE(page_of(all, 4), nullptr);
}

// nh-n-sum expects 3 (parents 2 and 1) and 1. All pages are in one problem, solved by allocate().
TEST(RecrawlPlan, NewPagesCompeteWithKnownOnes) {
  const SimulatedWeb web(small_graph(), {2, 3, 1, 0, 0}, {});
  const std::vector<RecrawlPage> all = {
      {2, kRate}, {3, 0}, {1, kRate / 2}, {3, kRate / 2}, {1, kRate / 2}};
  for (const RecrawlPolicyEntry& entry : recrawl_policies()) {
    SCOPED_TRACE(entry.name);
    const auto expected = allocate(entry.policy, all, 4.0 / 30);
    const RecrawlPlan plan =
        plan_recrawl(web, "nh-n-sum", {.budget = 4, .days = 30, .policy = entry.policy});
    EXPECT_EQ(plan.linked, 2U);
    EXPECT_NEAR(plan.new_visits + plan.known_visits, 4, 1e-9);
    for (Node node = 0; node < 5; ++node) {
      const PlannedPage* page = page_of(plan, node);
      EXPECT_EQ(page != nullptr, expected[node] > 0) << node;
      if (page == nullptr) continue;
      EXPECT_NEAR(page->visits, 30 * expected[node], 1e-9) << node;
      EXPECT_EQ(page->is_new, node >= 3) << node;
    }
  }
}

// 3 is certainly stale and stays fresh for 2 / rate days; 0 was seen four days ago, 2 today.
TEST(RecrawlPlan, WhatIsGainedNowComesFirst) {
  const SimulatedWeb web(small_graph(), {2, 3, 1, 0, 0}, {});
  const RecrawlPlan plan =
      plan_recrawl(web, "nh-n-sum", {.budget = 400, .days = 30, .policy = RecrawlPolicy::Uniform});
  ASSERT_EQ(plan.pages.size(), 5U);
  EXPECT_EQ(plan.pages[0].node, 3U);
  EXPECT_NEAR(plan.pages[0].gain, 3 / (kRate / 2), 1e-9);
  EXPECT_NEAR(page_of(plan, 0)->gain, 2 * (1 - std::exp(-4 * kRate)) / kRate, 1e-9);
  EXPECT_NEAR(page_of(plan, 1)->gain, 3 * 9, 1e-9);
  EXPECT_EQ(plan.pages.back().node, 2U);
  EXPECT_EQ(plan.pages.back().gain, 0);
}

TEST(RecrawlPlan, WhatMakesNoSenseIsRefused) {
  const SimulatedWeb plain(Snapshot::from_links(2, {{0, 1}}), {1, 1}, {});
  EXPECT_THROW(plan_recrawl(plain, "extra"), Error);  // no history
  const SimulatedWeb web(small_graph(), {2, 3, 1, 0, 0}, {});
  EXPECT_THROW(plan_recrawl(web, "extra", {.days = 0}), Error);
  EXPECT_THROW(plan_recrawl(web, "nobody"), Error);
}

}  // namespace
}  // namespace webstrata
