// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/known_graph.h"

#include <gtest/gtest.h>

#include <cmath>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

std::vector<Node> frontier_of(const KnownGraph& known) {
  std::vector<Node> nodes(known.frontier().begin(), known.frontier().end());
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

TEST(KnownGraph, GrowsByWhatPagesLinkTo) {
  KnownGraph known;
  known.discover(7);
  known.claim(7);
  const KnownLink links[] = {{2, 1.5}, {9, 0}};
  const CrawlStep& step = known.crawl(7, 2, links);
  EXPECT_TRUE(step.is_seed);
  EXPECT_EQ(std::vector<Node>(step.discovered.begin(), step.discovered.end()),
            (std::vector<Node>{2, 9}));
  EXPECT_EQ(frontier_of(known), (std::vector<Node>{2, 9}));
  EXPECT_TRUE(known.is_crawled(7));
  EXPECT_EQ(known.score(7), 2);
  known.claim(2);
  const KnownLink back[] = {{7, 0.5}, {9, 3}};
  EXPECT_TRUE(known.crawl(2, 0, back).discovered.empty());
  EXPECT_EQ(known.in_degree(9), 2u);
  std::vector<std::pair<Node, double>> in;
  known.for_each_in_link(9, [&](Node source, double score) { in.emplace_back(source, score); });
  EXPECT_EQ(in, (std::vector<std::pair<Node, double>>{{2, 3}, {7, 0}}));
}

TEST(KnownGraph, LinksNamedTwiceCountOnceAndLinksToItselfNotAtAll) {
  KnownGraph known;
  known.discover(0);
  known.claim(0);
  const KnownLink links[] = {{1, 1}, {0, 9}, {1, 2}, {1, 0}};
  known.crawl(0, 1, links);
  EXPECT_EQ(known.out_degree(0), 1u);
  EXPECT_EQ(known.links(0)[0], (KnownLink{1, 2}));
}

TEST(KnownGraph, AClaimedNodeGivesItsPlaceToTheLast) {
  KnownGraph known;
  for (Node node = 0; node < 4; ++node) known.discover(node);
  EXPECT_EQ(known.claim(1), 1u);
  EXPECT_EQ(known.frontier()[1], 3u);
  EXPECT_EQ(known.place(3), 1u);
  EXPECT_FALSE(known.is_frontier(1));
}

TEST(KnownGraph, RefusesWhatMakesNoSense) {
  KnownGraph known;
  known.discover(0);
  EXPECT_THROW(known.crawl(0, 1, {}), Error);  // not claimed
  known.claim(0);
  EXPECT_THROW(known.crawl(0, -1, {}), Error);
  EXPECT_THROW(known.crawl(0, std::nan(""), {}), Error);
  const KnownLink bad{1, INFINITY};
  EXPECT_THROW(known.crawl(0, 1, {&bad, 1}), Error);
  EXPECT_FALSE(known.is_known(1));  // nothing of a rejected page remains
  known.crawl(0, 1, {});
  EXPECT_THROW(known.crawl(0, 1, {}), Error);  // twice
}

}  // namespace
}  // namespace webstrata
