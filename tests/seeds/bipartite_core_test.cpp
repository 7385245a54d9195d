// SPDX-License-Identifier: Apache-2.0

// Expectations: the paper's pseudo-code as interpreted in docs/METHODS.md, done by hand on small
// graphs, and by a slow reference that examines all nodes for every member on random ones.

#include "webstrata/seeds/bipartite_core.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/graph/random_graph.h"
#include "tests/seeds/named_graph.h"
#include "webstrata/base/error.h"
#include "webstrata/rank/hits.h"

namespace webstrata {
namespace {

using Nodes = std::vector<Node>;

BipartiteCore core_of(const Snapshot& graph, const CoreOptions& options = {}) {
  const HitsResult ranked = hits(graph);
  return grow_core(graph, {ranked.hubs, ranked.authorities}, options);
}

Nodes sorted(Nodes nodes) {
  std::ranges::sort(nodes);
  return nodes;
}

// ---- a slow twin --------------------------------------------------------------------------------

struct SlowCore {
  const Snapshot& graph;
  const CoreScores& scores;
  CoreOptions options;
  Nodes hubs = {};
  Nodes authorities = {};

  bool is_link(Node source, Node target) const {
    if (source == target) return false;
    if (!scores.removed.empty() && (scores.removed[source] || scores.removed[target])) return false;
    return graph.find_link(source, target).has_value();
  }
  double density() const {
    double links = 0;
    for (const Node hub : hubs) {
      for (const Node authority : authorities) links += is_link(hub, authority) ? 1 : 0;
    }
    return 100 * links /
           (static_cast<double>(hubs.size()) * static_cast<double>(authorities.size()));
  }
  std::optional<Node> best(bool is_hub) const {
    const auto& members = is_hub ? hubs : authorities;
    const auto& others = is_hub ? authorities : hubs;
    const auto& score = is_hub ? scores.hubs : scores.authorities;
    std::optional<Node> best;
    for (Node node = 0; node < graph.node_count(); ++node) {
      if (std::ranges::find(members, node) != members.end()) continue;
      const bool is_linked = std::ranges::any_of(
          others, [&](Node other) { return is_hub ? is_link(node, other) : is_link(other, node); });
      if (is_linked && (!best || score[node] > score[*best])) best = node;
    }
    return best;
  }
  // 1 joined, 0 no candidate, -1 would break
  int try_one(bool is_hub) {
    auto& members = is_hub ? hubs : authorities;
    const auto node = best(is_hub);
    if (!node) return 0;
    if (is_hub && options.hubs_max > 0 && hubs.size() >= options.hubs_max) return -1;
    members.push_back(*node);
    if (density() >= options.cover_density) return 1;
    members.pop_back();
    return -1;
  }
  void grow() {
    if (!begin()) return;
    const bool lockstep = options.growth == CoreGrowth::Lockstep;
    while (true) {
      const int hub = try_one(true);
      if (lockstep && hub < 0) return;
      const int authority = try_one(false);
      if (lockstep && authority < 0) return;
      if (hub <= 0 && authority <= 0) return;
    }
  }
  // Figure 2, line by line.
  void grow_as_printed() {
    if (!begin()) return;
    double current = 100;
    while (current >= options.cover_density) {
      bool grew = false;
      for (const bool is_hub : {true, false}) {
        for (std::uint32_t i = 0; i < options.new_member_count; ++i) {
          const auto node = best(is_hub);
          if (!node) break;
          (is_hub ? hubs : authorities).push_back(*node);
          grew = true;
        }
      }
      if (!grew) return;
      current = density();
    }
  }
  bool begin() {
    std::optional<Node> first;
    for (Node node = 0; node < graph.node_count(); ++node) {
      bool is_linked = false;
      for (Node other = 0; other < graph.node_count(); ++other) is_linked |= is_link(other, node);
      if (is_linked && (!first || scores.authorities[node] > scores.authorities[*first])) {
        first = node;
      }
    }
    if (first) authorities = {*first};
    return first.has_value();
  }
};

TEST(BipartiteCore, GrowsAsTheSlowTwinDoes) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto nodes = static_cast<Node>(2 + random.below(40));
    const Snapshot graph = random_graph(random, nodes, 1 + random.below(8));
    std::vector<std::uint8_t> removed(nodes, 0);
    for (auto& is_gone : removed) is_gone = random.chance(0.1) ? 1 : 0;
    HitsOptions hits_options;
    hits_options.removed = removed;
    const HitsResult ranked = hits(graph, hits_options);
    const CoreScores scores = {ranked.hubs, ranked.authorities, removed};
    CoreOptions options;
    options.growth = random.chance(0.5) ? CoreGrowth::Either : CoreGrowth::Lockstep;
    options.cover_density = random.chance(0.5) ? 100 : 40 + static_cast<double>(random.below(60));
    options.hubs_max = random.chance(0.3) ? 1 + random.below(3) : 0;
    SlowCore slow{graph, scores, options};
    slow.grow();
    const BipartiteCore core = grow_core(graph, scores, options);
    EXPECT_EQ(core.hubs, slow.hubs);
    EXPECT_EQ(core.authorities, slow.authorities);
    if (!core.hubs.empty()) {
      EXPECT_DOUBLE_EQ(core.cover_density(), slow.density());
      EXPECT_GE(core.cover_density(), options.cover_density);
    }
  }
}

TEST(BipartiteCore, KeepsBreakingMembersAsThePapersLoopDoes) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Snapshot graph =
        random_graph(random, static_cast<Node>(2 + random.below(40)), 1 + random.below(8));
    const HitsResult ranked = hits(graph);
    const CoreScores scores = {ranked.hubs, ranked.authorities, {}};
    CoreOptions options{.keep_breaking_member = true, .hubs_max = 0};
    options.cover_density = random.chance(0.5) ? 100 : 40 + static_cast<double>(random.below(60));
    options.new_member_count = static_cast<std::uint32_t>(1 + random.below(3));
    SlowCore slow{graph, scores, options};
    slow.grow_as_printed();
    const BipartiteCore core = grow_core(graph, scores, options);
    EXPECT_EQ(core.hubs, slow.hubs);
    EXPECT_EQ(core.authorities, slow.authorities);
  }
}

// ---- by hand ------------------------------------------------------------------------------------

TEST(BipartiteCore, FindsAPlantedCompleteCore) {
  LinkPairs links = {{8, 9}, {9, 10}, {0, 11}};
  add_complete(links, {0, 1, 2, 3}, {4, 5, 6});
  const BipartiteCore core = core_of(Snapshot::from_links(12, links));
  EXPECT_EQ(sorted(core.hubs), (Nodes{0, 1, 2, 3}));
  EXPECT_EQ(sorted(core.authorities), (Nodes{4, 5, 6}));
  EXPECT_EQ(core.link_count, 12);
  EXPECT_EQ(core.cover_density(), 100);
  EXPECT_EQ(core.end, CoreEnd::Density);  // 11 is linked to by one hub only
}

// Authorities 1 and 2 are both linked to by 3, which is the best hub; 4, 5, 6 link to 1 alone. The
// second hub would break the density, and in lockstep the core ends with it.
TEST(BipartiteCore, EitherGoesOnWhereLockstepEnds) {
  const Snapshot graph = Snapshot::from_links(8, {{3, 1}, {3, 2}, {3, 7}, {4, 1}, {5, 1}, {6, 1}});
  const BipartiteCore lockstep = core_of(graph, {.growth = CoreGrowth::Lockstep});
  EXPECT_EQ(lockstep.hubs, (Nodes{3}));
  EXPECT_EQ(lockstep.authorities, (Nodes{1, 2}));
  EXPECT_EQ(lockstep.end, CoreEnd::Density);
  const BipartiteCore either = core_of(graph, {.growth = CoreGrowth::Either});
  EXPECT_EQ(either.hubs, (Nodes{3}));
  EXPECT_EQ(either.authorities, (Nodes{1, 2, 7}));
  EXPECT_EQ(either.end, CoreEnd::Density);
}

TEST(BipartiteCore, KeepsTheBreakingMemberIfAsked) {
  const Snapshot graph = Snapshot::from_links(8, {{3, 1}, {3, 2}, {3, 7}, {4, 1}, {5, 1}, {6, 1}});
  const BipartiteCore core = core_of(graph, {.keep_breaking_member = true});
  EXPECT_EQ(core.hubs, (Nodes{3, 4}));
  EXPECT_EQ(core.authorities, (Nodes{1, 2, 7}));
  EXPECT_NEAR(core.cover_density(), 100 * 4 / 6.0, 1e-9);
  EXPECT_EQ(core.end, CoreEnd::Density);
}

TEST(BipartiteCore, AStarEndsWithoutCandidates) {
  LinkPairs links;
  for (Node node = 1; node <= 50; ++node) links.emplace_back(node, 0);
  const BipartiteCore in_star = core_of(Snapshot::from_links(51, links));
  EXPECT_EQ(in_star.hubs.size(), 50);
  EXPECT_EQ(in_star.end, CoreEnd::NoCandidates);
  const BipartiteCore capped = core_of(Snapshot::from_links(51, links), {.hubs_max = 20});
  EXPECT_EQ(capped.hubs.size(), 20);
  EXPECT_EQ(capped.end, CoreEnd::HubCap);
  for (auto& [source, target] : links) std::swap(source, target);
  const BipartiteCore out_star = core_of(Snapshot::from_links(51, links));
  EXPECT_EQ(out_star.hubs, (Nodes{0}));
  EXPECT_EQ(out_star.authorities.size(), 50);
  EXPECT_EQ(out_star.end, CoreEnd::NoCandidates);
}

TEST(BipartiteCore, WithoutLinksThereIsNone) {
  EXPECT_EQ(core_of(Snapshot()).end, CoreEnd::NoLinks);
  EXPECT_EQ(core_of(Snapshot::from_links(5, {})).end, CoreEnd::NoLinks);
  const BipartiteCore of_itself = core_of(Snapshot::from_links(2, {{0, 0}, {1, 1}}));
  EXPECT_EQ(of_itself.end, CoreEnd::NoLinks);
  EXPECT_TRUE(of_itself.authorities.empty());
  EXPECT_EQ(of_itself.cover_density(), 0);
}

TEST(BipartiteCore, ASingleLinkIsACore) {
  const BipartiteCore core = core_of(Snapshot::from_links(2, {{0, 1}}));
  EXPECT_EQ(core.hubs, (Nodes{0}));
  EXPECT_EQ(core.authorities, (Nodes{1}));
  EXPECT_EQ(core.end, CoreEnd::NoCandidates);
}

// 0 and 1 link to each other and to 2, and 1 also to itself. At density 75 node 1 is on both sides,
// with 0-1, 0-2 and 1-2 of four links: the pair (1, 1) never counts.
TEST(BipartiteCore, ALinkToItselfNeverCounts) {
  const Snapshot graph = Snapshot::from_links(3, {{0, 1}, {1, 0}, {1, 1}, {0, 2}, {1, 2}});
  const BipartiteCore core = core_of(graph);
  EXPECT_EQ(core.hubs, (Nodes{0}));
  EXPECT_EQ(sorted(core.authorities), (Nodes{1, 2}));
  const BipartiteCore loose = core_of(graph, {.cover_density = 75});
  EXPECT_EQ(sorted(loose.hubs), (Nodes{0, 1}));
  EXPECT_EQ(sorted(loose.authorities), (Nodes{1, 2}));
  EXPECT_EQ(loose.link_count, 3);
}

TEST(BipartiteCore, GrowsToASize) {
  LinkPairs links;
  add_complete(links, {0, 1, 2, 3}, {4, 5, 6});
  const Snapshot graph = Snapshot::from_links(7, links);
  for (const std::uint64_t size : {2, 3, 4, 7}) {
    const BipartiteCore core = core_of(graph, {.size = size});
    EXPECT_EQ(core.hubs.size() + core.authorities.size(), size);
    EXPECT_EQ(core.end, CoreEnd::Size);
  }
  const BipartiteCore pairs = core_of(graph, {.size = 6, .new_member_count = 2});
  EXPECT_EQ(pairs.hubs.size(), 3);  // turns: 2 hubs, 2 authorities, then the one that is left
  EXPECT_EQ(pairs.authorities.size(), 3);
  const BipartiteCore all = core_of(graph, {.size = 100});
  EXPECT_EQ(all.hubs.size() + all.authorities.size(), 7);
  EXPECT_EQ(all.end, CoreEnd::NoCandidates);
}

TEST(BipartiteCore, RefusesWhatMakesNoSense) {
  const Snapshot graph = Snapshot::from_links(2, {{0, 1}});
  for (const double density : {0.0, 101.0, -1.0, std::nan("")}) {
    EXPECT_THROW(core_of(graph, {.cover_density = density}), Error) << density;
  }
  EXPECT_THROW(core_of(graph, {.size = 1}), Error);
  EXPECT_THROW(core_of(graph, {.size = 4, .new_member_count = 0}), Error);
  const std::vector<double> short_scores = {1};
  EXPECT_THROW(grow_core(graph, {short_scores, short_scores}, {}), Error);
}

TEST(BipartiteCore, NamesOfGrowthInvert) {
  EXPECT_EQ(parse_core_growth("either"), CoreGrowth::Either);
  EXPECT_EQ(parse_core_growth("lockstep"), CoreGrowth::Lockstep);
  EXPECT_FALSE(parse_core_growth("both"));
}

}  // namespace
}  // namespace webstrata
