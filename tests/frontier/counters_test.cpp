// SPDX-License-Identifier: Apache-2.0

#include "webstrata/frontier/service/counters.h"

#include <gtest/gtest.h>

#include "webstrata/frontier/service/same_text.h"

namespace webstrata::frontier {
namespace {

TEST(FrontierCounters, AreWrittenForPrometheus) {
  Counters counters;
  counters.taken = 5;
  counters.count_put({.info = {"u"}}, Ack::Skipped);
  counters.count_put({.info = {"u"}, .is_known = true}, Ack::Ok);
  ++counters.of("GetURLs").count;
  FrontierStats totals;
  totals.size = 7;
  totals.queues = 3;
  const std::string text = metrics_text(counters, totals);
  for (const char* line :
       {"\nfrontier_getURLs_calls_total 1\n", "\nfrontier_getURLs_total 5\n",
        "\nfrontier_putURLs_total 2\n",
        "\nfrontier_putURLs_discovered_total{discovered=\"true\"} 1\n",
        "\nfrontier_putURLs_ignored_total 1\n", "\nfrontier_putURLs_completed_total 1\n",
        "\nwebstrata_frontier_urls 7\n", "\nwebstrata_frontier_queues 3\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

TEST(FrontierCounters, TokensAreComparedWhole) {
  EXPECT_TRUE(is_same_text("secret", "secret"));
  EXPECT_FALSE(is_same_text("secre", "secret"));
  EXPECT_FALSE(is_same_text("secrets", "secret"));
  EXPECT_FALSE(is_same_text("Secret", "secret"));
  EXPECT_FALSE(is_same_text("", "secret"));
}

}  // namespace
}  // namespace webstrata::frontier
