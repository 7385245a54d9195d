// SPDX-License-Identifier: Apache-2.0

// Hubs and authorities, against graphs solved by hand and a slow reference.

#include "webstrata/rank/hits.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/graph/random_graph.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// Two hubs that both link to one authority; one of them also to another. With a = (a2, a3) the
// matrix AᵀA is [[2, 1], [1, 1]]: its first eigenvector is (φ, 1), φ the golden ratio.
TEST(Hits, MatchesTheHandSolvedGraph) {
  const auto graph = Snapshot::from_links(4, {{0, 2}, {0, 3}, {1, 2}});
  const auto found = hits(graph, {.iterations = 200, .tolerance = 1e-15});
  const double phi = (1 + std::sqrt(5.0)) / 2;
  EXPECT_NEAR(found.authorities[2], phi / std::hypot(phi, 1), 1e-12);
  EXPECT_NEAR(found.authorities[3], 1 / std::hypot(phi, 1), 1e-12);
  EXPECT_EQ(found.authorities[0], 0);
  EXPECT_NEAR(found.hubs[0] / found.hubs[1], phi, 1e-12);
  EXPECT_TRUE(found.converged);
}

struct Slow {
  std::vector<double> hubs, authorities;
};

void normalise(std::vector<double>& scores) {
  double squares = 0;
  for (const double score : scores) squares += score * score;
  for (double& score : scores) score /= squares > 0 ? std::sqrt(squares) : 1;
}

// The definition, with links pushed one by one.
Slow slow_hits(Node nodes, const LinkList& links, int iterations, std::vector<double> hubs) {
  Slow slow{std::move(hubs), std::vector<double>(nodes)};
  for (int i = 0; i < iterations; ++i) {
    slow.authorities.assign(nodes, 0);
    for (const auto& [source, target] : links) slow.authorities[target] += slow.hubs[source];
    normalise(slow.authorities);
    slow.hubs.assign(nodes, 0);
    for (const auto& [source, target] : links) slow.hubs[source] += slow.authorities[target];
    normalise(slow.hubs);
  }
  return slow;
}

TEST(Hits, EqualsTheSlowReferenceAfterAnyNumberOfIterations) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    const LinkList links = random_links(random, 200, 12);
    const auto graph = Snapshot::from_links(200, links);
    for (const int iterations : {1, 2, 7}) {
      const auto slow = slow_hits(200, links, iterations, std::vector<double>(200, 1));
      const auto found = hits(graph, {.iterations = iterations});
      EXPECT_EQ(found.iterations, iterations);
      for (Node node = 0; node < 200; ++node) {
        ASSERT_NEAR(found.hubs[node], slow.hubs[node], 1e-12) << "seed " << seed;
        ASSERT_NEAR(found.authorities[node], slow.authorities[node], 1e-12) << "seed " << seed;
      }
    }
  }
}

TEST(Hits, RemovedNodesAndTheirLinksDoNotCount) {
  Random random(3);
  const LinkList links = random_links(random, 300, 10);
  std::vector<std::uint8_t> removed(300);
  for (auto& node : removed) node = random.chance(0.3);
  LinkList left;
  for (const auto& link : links) {
    if (!removed[link.first] && !removed[link.second]) left.push_back(link);
  }
  const auto masked =
      hits(Snapshot::from_links(300, links), {.iterations = 20, .removed = removed});
  const auto cut = hits(Snapshot::from_links(300, left), {.iterations = 20});
  for (Node node = 0; node < 300; ++node) {
    EXPECT_NEAR(masked.hubs[node], cut.hubs[node], 1e-12);
    EXPECT_NEAR(masked.authorities[node], cut.authorities[node], 1e-12);
  }
}

TEST(Hits, GoesOnFromWhereItStopped) {
  Random random(4);
  const auto graph = random_graph(random, 300);
  const auto whole = hits(graph, {.iterations = 30});
  const auto half = hits(graph, {.iterations = 15});
  const auto rest = hits(graph, {.iterations = 15, .start_hubs = half.hubs});
  for (Node node = 0; node < 300; ++node) EXPECT_NEAR(rest.hubs[node], whole.hubs[node], 1e-12);
  // From authorities: one half step later than from the hubs that made them.
  const auto from_authorities =
      hits(graph, {.iterations = 15, .start_authorities = half.authorities});
  for (Node node = 0; node < 300; ++node) {
    EXPECT_NEAR(from_authorities.hubs[node], whole.hubs[node], 1e-12);
  }
}

TEST(Hits, SameBitsForAnyNumberOfThreads) {
  Random random(5);
  const auto graph = random_graph(random, 20000);
  const auto one = hits(graph, {.iterations = 10, .work = {.threads = 1}});
  for (const unsigned threads : {2u, 3u}) {
    const auto more = hits(graph, {.iterations = 10, .work = {.threads = threads}});
    EXPECT_EQ(one.hubs, more.hubs);
    EXPECT_EQ(one.authorities, more.authorities);
    EXPECT_EQ(one.change, more.change);
  }
}

TEST(Hits, NothingToRankIsNoError) {
  EXPECT_TRUE(hits(Snapshot()).hubs.empty());
  const auto lonely = hits(Snapshot::from_links(3, {}));
  EXPECT_EQ(lonely.hubs, std::vector<double>(3, 0));
  EXPECT_EQ(lonely.authorities, std::vector<double>(3, 0));
  const auto none_left =
      hits(Snapshot::from_links(2, {{0, 1}}), {.removed = std::vector<std::uint8_t>{1, 1}});
  EXPECT_EQ(none_left.hubs, std::vector<double>(2, 0));
}

TEST(Hits, RefusesWhatMakesNoSense) {
  const auto graph = Snapshot::from_links(2, {{0, 1}});
  const std::vector<double> three(3, 1), bad = {1, std::nan("")}, negative = {1, -1};
  const std::vector<std::uint8_t> one(1);
  EXPECT_THROW(hits(graph, {.iterations = -1}), Error);
  EXPECT_THROW(hits(graph, {.tolerance = -1}), Error);
  EXPECT_THROW(hits(graph, {.tolerance = std::nan("")}), Error);
  EXPECT_THROW(hits(graph, {.start_hubs = three}), Error);
  EXPECT_THROW(hits(graph, {.start_hubs = bad}), Error);
  EXPECT_THROW(hits(graph, {.start_authorities = negative}), Error);
  EXPECT_THROW(hits(graph, {.removed = one}), Error);
}

TEST(Hits, CanBeStopped) {
  CancelToken cancel;
  cancel.cancel();
  Random random(6);
  EXPECT_THROW(hits(random_graph(random, 100), {.work = {.cancel = &cancel}}), Error);
}

}  // namespace
}  // namespace webstrata
