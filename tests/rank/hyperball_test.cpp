// SPDX-License-Identifier: Apache-2.0

// HyperBall against exact harmonic centrality, by a search from every node.

#include "webstrata/rank/hyperball.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/graph/random_graph.h"
#include "webstrata/base/error.h"
#include "webstrata/rank/centrality.h"

namespace webstrata {
namespace {

// The mean of the squared errors, in units of the reported standard error.
double mean_square(const Snapshot& graph, const HyperBallOptions& options) {
  const auto exact = harmonic_centrality(graph, {.samples = graph.node_count()});
  const auto near = hyperball(graph, options);
  double squares = 0;
  for (Node node = 0; node < graph.node_count(); ++node) {
    const double unit = near.standard_error * (exact.scores[node] + 1);
    const double error = (near.scores[node] - exact.scores[node]) / unit;
    squares += error * error;
  }
  return squares / graph.node_count();
}

// Errors of nodes with almost the same balls are almost the same, so one seed proves little: the
// mean over many must be at most 1, and 1.3 leaves room for chance.
TEST(HyperBall, StaysWithinItsStandardError) {
  for (const std::uint32_t registers : {16u, 64u, 256u}) {
    double mean = 0;
    constexpr std::uint64_t kSeeds = 20;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      Random random(seed);
      mean += mean_square(random_graph(random, 1500, 4), {.registers = registers, .seed = seed}) /
              kSeeds;
    }
    EXPECT_LE(mean, 1.3) << registers << " registers, seeds 1 to " << kSeeds;
    EXPECT_GT(mean, 0.01) << registers << " registers: errors this small are not believable";
  }
}

TEST(HyperBall, CountsFewAlmostExactly) {
  const auto near =
      hyperball(Snapshot::from_links(4, {{0, 1}, {1, 2}, {2, 2}}), {.registers = 65536});
  EXPECT_NEAR(near.scores[0], 0, 1e-3);
  EXPECT_NEAR(near.scores[1], 1, 1e-3);
  EXPECT_NEAR(near.scores[2], 1.5, 1e-3);
  EXPECT_NEAR(near.scores[3], 0, 1e-3);
  EXPECT_EQ(near.passes, 3);  // the last one finds nothing new
  EXPECT_NEAR(near.standard_error, 1.04 / 256, 1e-12);
}

TEST(HyperBall, SameBitsForAnyNumberOfThreadsAndAnotherSeedOthers) {
  Random random(7);
  const auto graph = random_graph(random, 20000);
  const auto one = hyperball(graph, {.registers = 32, .seed = 3, .work = {.threads = 1}});
  EXPECT_EQ(one.scores,
            hyperball(graph, {.registers = 32, .seed = 3, .work = {.threads = 3}}).scores);
  EXPECT_NE(one.scores, hyperball(graph, {.registers = 32, .seed = 4}).scores);
}

TEST(HyperBall, EmptyGraphAndBadRegisters) {
  EXPECT_TRUE(hyperball(Snapshot()).scores.empty());
  for (const std::uint32_t registers : {0u, 8u, 100u, 131072u}) {
    EXPECT_THROW(hyperball(Snapshot(), {.registers = registers}), Error) << registers;
  }
}

}  // namespace
}  // namespace webstrata
