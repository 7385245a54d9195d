// SPDX-License-Identifier: Apache-2.0
#include "webstrata/seeds/coverage_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "tests/graph/random_graph.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// Score within `depth` links of `seeds`, added up over the depths: what the sets estimate.
double exact_coverage(const Snapshot& graph, const std::vector<double>& scores,
                      const std::vector<Node>& seeds, const std::vector<std::uint32_t>& depths) {
  double total = 0;
  for (const std::uint32_t depth : depths) {
    std::vector<bool> seen(graph.node_count());
    std::vector<Node> level = seeds;
    for (const Node node : seeds) seen[node] = true;
    for (std::uint32_t i = 0; i < depth; ++i) {
      std::vector<Node> next;
      for (const Node node : level) {
        for (const Node target : graph.successors(node)) {
          if (!seen[target]) next.push_back(target);
          seen[target] = true;
        }
      }
      level = next;
    }
    for (Node node = 0; node < graph.node_count(); ++node) total += seen[node] ? scores[node] : 0;
  }
  return total;
}

// Scores that are whole multiples of the step: systematic sampling is then exact.
TEST(CoverageSets, AreExactWhenEveryNodeIsDrawnByItsScore) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Snapshot graph = random_graph(random, 60, 3);
    std::vector<double> scores(60);
    for (double& score : scores) score = static_cast<double>(random.below(4));
    const auto draws =
        static_cast<std::uint32_t>(std::accumulate(scores.begin(), scores.end(), 0.));
    const std::vector<std::uint32_t> depths = {1, 2, 3};
    CoverageOptions options;
    options.depths = depths;
    options.set_count = 3 * draws;
    options.seed = seed;
    CoverageSets sets = CoverageSets::draw(graph, scores, options);
    EXPECT_EQ(sets.total(), 3 * draws);
    std::vector<Node> seeds;
    double before = 0;
    for (int i = 0; i < 10; ++i) {
      const auto node = static_cast<Node>(random.below(60));
      seeds.push_back(node);
      const double now = exact_coverage(graph, scores, seeds, depths);
      EXPECT_EQ(static_cast<double>(sets.gain(node)), now - before);
      EXPECT_EQ(static_cast<double>(sets.cover(node)), now - before);
      EXPECT_EQ(sets.gain(node), 0);
      before = now;
    }
    EXPECT_EQ(static_cast<double>(sets.covered()), before);
  }
}

TEST(CoverageSets, EstimateTheScoreWithinReach) {
  Random random(5);
  const Snapshot graph = random_graph(random, 2000, 4);
  std::vector<double> scores(2000);
  for (double& score : scores) score = random.unit() / 1000;
  const double sum = std::accumulate(scores.begin(), scores.end(), 0.);
  CoverageSets sets = CoverageSets::draw(graph, scores, {.depths = {2}, .set_count = 20000});
  for (const Node node : {3U, 400U, 1999U}) {
    const double expected = exact_coverage(graph, scores, {node}, {2}) / sum;
    const double found = static_cast<double>(sets.gain(node)) / static_cast<double>(sets.total());
    EXPECT_NEAR(found, expected, 0.005);
  }
}

TEST(CoverageSets, DoNotDependOnThreads) {
  Random random(6);
  const Snapshot graph = random_graph(random, 500, 6);
  const std::vector<double> scores(500, 1);
  CoverageOptions one;
  one.work.threads = 1;
  CoverageOptions four;
  four.work.threads = 4;
  const CoverageSets a = CoverageSets::draw(graph, scores, one);
  const CoverageSets b = CoverageSets::draw(graph, scores, four);
  for (Node node = 0; node < 500; ++node) EXPECT_EQ(a.gain(node), b.gain(node));
}

// 0 <- 1 <- 2 <- 3: a list of one node is not followed if the limit is zero.
TEST(CoverageSets, LargeSetsAreNotFollowedFurther) {
  const Snapshot graph = Snapshot::from_links(4, {{1, 0}, {2, 1}, {3, 2}});
  const std::vector<double> scores = {1, 0, 0, 0};
  CoverageOptions options;
  options.depths = {3};
  options.set_count = 10;
  options.set_nodes_max = 2;
  const CoverageSets sets = CoverageSets::draw(graph, scores, options);
  EXPECT_EQ(sets.gain(0), 10);
  EXPECT_EQ(sets.gain(2), 10);  // two were not too many
  EXPECT_EQ(sets.gain(3), 0);
}

TEST(CoverageSets, RefuseWhatMakesNoSense) {
  const Snapshot graph = Snapshot::from_links(2, {{0, 1}});
  const std::vector<double> scores = {1, 1};
  EXPECT_THROW(CoverageSets::draw(graph, scores, {.depths = {}}), Error);
  EXPECT_THROW(CoverageSets::draw(graph, scores, {.depths = {0}}), Error);
  EXPECT_THROW(CoverageSets::draw(graph, scores, {.depths = {16}}), Error);
  EXPECT_THROW(CoverageSets::draw(graph, scores, {.set_count = 2}), Error);
  EXPECT_THROW(CoverageSets::draw(graph, std::vector<double>{1}, {}), Error);
  EXPECT_THROW(CoverageSets::draw(graph, std::vector<double>{0, 0}, {}), Error);
  EXPECT_THROW(CoverageSets::draw(graph, std::vector<double>{-1, 2}, {}), Error);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(CoverageSets::draw(graph, std::vector<double>{nan, 2}, {}), Error);
}

}  // namespace
}  // namespace webstrata
