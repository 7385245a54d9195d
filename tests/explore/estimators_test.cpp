// SPDX-License-Identifier: Apache-2.0

// Every estimator against a recomputation from scratch out of plain lists, at every step.

#include "webstrata/explore/estimators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "tests/explore/scored_web.h"
#include "webstrata/base/error.h"
#include "webstrata/explore/neighbour_features.h"
#include "webstrata/explore/opic_cash.h"

namespace webstrata {
namespace {

constexpr double kExact = 1e-9;
constexpr std::size_t kSteps = 35;
const std::vector<Node> kSeeds = {3, 17, 40};

using SlowScore = std::function<double(const SlowGraph& slow, Node node)>;

// The scores of the whole frontier, and that the estimator's first choice is the best of them.
void compare(const std::string& name, const EstimatorOptions& options,
             const SlowScore& slow_score) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(name + ", graph of seed " + std::to_string(seed));
    const SimulatedWeb web = scored_web(seed);
    crawl_in_step(web, name, options, kSeeds, kSteps, [&](Explorer& explorer, SlowGraph& slow) {
      const auto frontier = explorer.known().frontier();
      EXPECT_EQ(std::set<Node>(frontier.begin(), frontier.end()), slow.frontier);
      double best = -1e300;
      for (const Node node : slow.frontier) {
        const double expected = slow_score(slow, node);
        EXPECT_NEAR(explorer.estimator().score(node), expected, kExact * (1 + std::abs(expected)))
            << "node " << node << " after " << slow.pages.size() << " pages";
        best = std::max(best, expected);
      }
      std::vector<Node> first;
      explorer.estimator().best(1, first);
      ASSERT_EQ(first.size(), slow.frontier.empty() ? 0u : 1u);
      if (!first.empty()) {
        EXPECT_NEAR(slow_score(slow, first[0]), best, kExact * (1 + std::abs(best)));
      }
    });
  }
}

// ---- neighbourhoods -----------------------------------------------------------------------------

double joined(const std::vector<double>& values, const std::string& join) {
  if (values.empty()) return 0;
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  if (join == "max") return *std::max_element(values.begin(), values.end());
  return join == "sum" ? sum : sum / static_cast<double>(values.size());
}

double neighbourhood(const SlowGraph& slow, Node node, const std::string& kind,
                     const std::string& join) {
  std::vector<double> values;
  for (const auto& link : slow.in_links(node)) {
    const double node_part = kind == "e" ? 1 : link.source->score;
    values.push_back(kind == "n" ? node_part : node_part * link.score);
  }
  return joined(values, join);
}

TEST(Estimators, NeighbourhoodsEqualTheirFormulas) {
  for (const std::string kind : {"n", "e", "ne"}) {
    for (const std::string join : {"sum", "avg", "max"}) {
      compare("nh-" + kind + "-" + join, {}, [&](const SlowGraph& slow, Node node) {
        return neighbourhood(slow, node, kind, join);
      });
    }
  }
}

// ---- learned weights ----------------------------------------------------------------------------

// Solves a x = b by elimination with pivots.
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t j = i + 1; j < n; ++j) {
      if (std::abs(a[j][i]) > std::abs(a[pivot][i])) pivot = j;
    }
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    for (std::size_t j = i + 1; j < n; ++j) {
      const double factor = a[j][i] / a[i][i];
      for (std::size_t k = i; k < n; ++k) a[j][k] -= factor * a[i][k];
      b[j] -= factor * b[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

std::vector<double> lnh_features(const SlowGraph& slow, Node node, const std::string& join) {
  return {neighbourhood(slow, node, "n", join), neighbourhood(slow, node, "e", join),
          neighbourhood(slow, node, "ne", join), 1};
}

// Ridge regression over all crawled pages: the seeds with the features that they have in the graph
// of all seeds, the others with those that they had when they were crawled.
double lnh_score(const SlowGraph& slow, Node node, const std::string& join, bool without_seeds) {
  std::vector<std::vector<double>> products(4, std::vector<double>(4));
  for (std::size_t i = 0; i < 4; ++i) products[i][i] = 1 / (2 * 1000.0);
  std::vector<double> right(4);
  SlowGraph before;
  for (const SlowGraph::Page& page : slow.pages) {
    if (page.is_seed) before.pages.push_back(page);
  }
  for (const SlowGraph::Page& page : slow.pages) {
    const auto x = lnh_features(before, page.node, join);
    if (!page.is_seed) before.pages.push_back(page);
    if (page.is_seed && without_seeds) continue;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) products[i][j] += x[i] * x[j];
      right[i] += x[i] * page.score;
    }
  }
  const auto weights = solved(products, right);
  const auto x = lnh_features(slow, node, join);
  return std::inner_product(x.begin(), x.end(), weights.begin(), 0.0);
}

TEST(Estimators, LearnedWeightsEqualLeastSquaresOverAllPages) {
  for (const std::string join : {"sum", "avg", "max"}) {
    for (const bool without_seeds : {false, true}) {
      compare("lnh-" + join, {.without_seeds = without_seeds},
              [&](const SlowGraph& slow, Node node) {
                return lnh_score(slow, node, join, without_seeds);
              });
    }
  }
}

// By hand, without the ridge: seeds 0 and 1 score 2 and nothing links to them; seed 2 scores 1 and
// 0 links to it. So 2 = c_0 and 1 = c_0 + 2 c_n: c_n = -1/2, and a page of a good parent (3, linked
// by 0) seems worse than one of a poor parent (5, linked by 4, which scores 0). That is what
// training on seeds does, which score by choice; without them nothing is learned yet.
TEST(Estimators, SeedsTeachThatPagesOfGoodParentsAreWorse) {
  const auto graph = Snapshot::from_links(6, {{0, 2}, {0, 3}, {1, 4}, {4, 5}});
  const SimulatedWeb web(graph, {2, 2, 1, 2, 0, 0}, {0, 0, 0, 0});
  for (const bool without_seeds : {false, true}) {
    Explorer explorer("lnh-max", {.estimator = {.without_seeds = without_seeds}});
    explorer.begin(std::vector<Node>{0, 1, 2});
    std::vector<Node> nodes;
    explorer.next_seeds(nodes);
    std::vector<KnownLink> buffer;
    for (const Node seed : {0, 1, 2}) {
      const CrawledPage page = web.crawl(seed, buffer);
      explorer.crawled(seed, page.score, page.links);
    }
    EXPECT_NEAR(explorer.estimator().score(3), without_seeds ? 0 : 1, 0.01);
    if (without_seeds) continue;
    const CrawledPage poor = web.crawl(4, buffer);
    explorer.crawled(4, poor.score, poor.links);
    EXPECT_GT(explorer.estimator().score(5), explorer.estimator().score(3) + 0.2);
  }
}

TEST(Estimators, HybridChangesItsMindAfterTheGivenSteps) {
  compare("hybrid-max", {.switch_steps = 12}, [](const SlowGraph& slow, Node node) {
    return slow.pages.size() - kSeeds.size() < 12 ? neighbourhood(slow, node, "ne", "sum")
                                                  : lnh_score(slow, node, "max", false);
  });
}

TEST(Estimators, HybridBeginsWithWhatWasChosen) {
  compare("hybrid-sum", {.switch_steps = 12, .hybrid_first = "nh-n-max"},
          [](const SlowGraph& slow, Node node) {
            return slow.pages.size() - kSeeds.size() < 12 ? neighbourhood(slow, node, "n", "max")
                                                          : lnh_score(slow, node, "sum", false);
          });
  KnownGraph known;
  EXPECT_THROW(make_estimator("hybrid-sum", known, {.hybrid_first = "hybrid-max"}), Error);
  EXPECT_THROW(make_estimator("hybrid-sum", known, {.hybrid_first = "luck"}), Error);
}

// The order of a seed file means nothing: the scores after the seeds are the same.
TEST(Estimators, LearnSeedsAsOneGraph) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const SimulatedWeb web = scored_web(seed);
    for (const char* estimator : {"lnh-sum", "lnh-avg", "lnh-max"}) {
      std::vector<Node> seeds(12);
      std::iota(seeds.begin(), seeds.end(), Node{0});
      std::vector<std::map<Node, double>> scores;
      for (int turn = 0; turn < 2; ++turn) {
        crawl_in_step(web, estimator, {}, seeds, 0, [&](Explorer& explorer, SlowGraph& slow) {
          scores.emplace_back();
          for (const Node node : slow.frontier) {
            scores.back()[node] = explorer.estimator().score(node);
          }
        });
        std::ranges::reverse(seeds);
      }
      ASSERT_GT(scores.front().size(), 3U);
      for (const auto& [node, score] : scores.front()) {
        EXPECT_NEAR(score, scores.back().at(node), 1e-12) << estimator;
      }
    }
  }
}

// ---- breadth first ------------------------------------------------------------------------------

double breadth_first(const SlowGraph& slow, Node wanted) {
  std::map<Node, double> depths;
  std::vector<Node> level;
  for (const SlowGraph::Page& page : slow.pages) {
    if (page.is_seed && depths.emplace(page.node, 0).second) level.push_back(page.node);
  }
  while (!level.empty()) {
    std::vector<Node> next;
    for (const Node node : level) {
      const SlowGraph::Page* page = slow.page(node);
      if (page == nullptr) continue;
      for (const KnownLink& link : page->links) {
        if (depths.emplace(link.target, depths[node] + 1).second) next.push_back(link.target);
      }
    }
    level = next;
  }
  return 1 / (depths.at(wanted) + 1);
}

TEST(Estimators, BreadthFirstCountsLinksFromTheSeedsOverAllKnownLinks) {
  compare("bf", {}, breadth_first);
}

// ---- OPIC ---------------------------------------------------------------------------------------

struct SlowCash {
  std::map<Node, double> cash;
  std::map<Node, double> history;
  double handed_on = 0;
};

SlowCash slow_cash(const SlowGraph& slow, bool by_links, bool by_nodes) {
  SlowCash state;
  for (const Node seed : kSeeds) state.cash[seed] = 1.0 / static_cast<double>(kSeeds.size());
  std::map<Node, double> known;
  double sum = 0;
  for (const SlowGraph::Page& page : slow.pages) {
    known[page.node] = page.score;
    sum += page.score;
    const double mean = sum / static_cast<double>(known.size());
    const double amount = state.cash[page.node];
    state.history[page.node] += amount;
    state.handed_on += amount;
    state.cash[page.node] = 0;
    std::vector<double> shares;
    for (const KnownLink& link : page.links) {
      const double node_part = known.contains(link.target) ? known[link.target] : mean;
      shares.push_back((by_links ? link.score : 1) * (by_nodes ? node_part : 1));
    }
    double total = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (total == 0) {
      shares.assign(shares.size(), 1);
      total = static_cast<double>(shares.size());
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
      state.cash[page.links[i].target] += amount * shares[i] / total;
    }
  }
  return state;
}

TEST(Estimators, OpicAndItsVariantsEqualTheirFormulas) {
  const std::tuple<std::string, bool, bool> variants[] = {{"opic", false, false},
                                                          {"opic-link", true, false},
                                                          {"opic-node", false, true},
                                                          {"opic-both", true, true}};
  for (const auto& [name, by_links, by_nodes] : variants) {
    compare(name, {}, [&](const SlowGraph& slow, Node node) {
      SlowCash state = slow_cash(slow, by_links, by_nodes);
      return (state.history[node] + state.cash[node]) / (state.handed_on + 1);
    });
  }
}

TEST(Estimators, OpicKeepsAllCash) {
  for (const auto share : {CashShare::Equal, CashShare::Links, CashShare::Nodes, CashShare::Both}) {
    const SimulatedWeb web = scored_web(5);
    OpicCash cash(share);
    KnownGraph known;
    cash.begin(kSeeds);
    std::vector<KnownLink> buffer;
    for (const Node seed : kSeeds) known.discover(seed);
    while (!known.frontier().empty()) {
      const Node node = known.frontier().front();
      known.claim(node);
      const CrawledPage page = web.crawl(node, buffer);
      cash.learn(known, known.crawl(node, page.score, page.links));
      double held = 0;
      double histories = 0;
      for (Node i = 0; i < known.size(); ++i) {
        held += cash.cash(i);
        histories += cash.history(i);
      }
      ASSERT_NEAR(held + cash.lost(), 1, 1e-12);
      ASSERT_NEAR(histories, cash.handed_on(), 1e-12);
    }
  }
}

// ---- Navigational Rank --------------------------------------------------------------------------

// Iterated until nothing moves.
double navigational(const SlowGraph& slow, Node wanted, bool sums) {
  const double d = 0.2;
  std::size_t nodes = std::size_t{wanted} + 1;
  for (const auto& page : slow.pages) {
    nodes = std::max(nodes, std::size_t{page.node} + 1);
    for (const KnownLink& link : page.links) nodes = std::max(nodes, std::size_t{link.target} + 1);
  }
  std::vector<double> in_degrees(nodes);
  for (const auto& page : slow.pages) {
    for (const KnownLink& link : page.links) in_degrees[link.target] += 1;
  }
  std::vector<double> ranks(nodes);
  std::vector<double> next(nodes);
  for (int sweep = 0; sweep < 130; ++sweep) {
    for (const auto& page : slow.pages) {
      double sum = 0;
      for (const KnownLink& link : page.links) sum += ranks[link.target] / in_degrees[link.target];
      if (!sums && !page.links.empty()) sum /= static_cast<double>(page.links.size());
      next[page.node] = d * page.score + (1 - d) * sum;
    }
    ranks.swap(next);
  }
  double sum = 0;
  for (const auto& link : slow.in_links(wanted)) {
    sum += ranks[link.source->node] / static_cast<double>(link.source->links.size());
  }
  return (1 - d) * (sums ? sum : sum / in_degrees[wanted]);
}

TEST(Estimators, NavigationalRankKeptUpToDateEqualsItComputedAnew) {
  const EstimatorOptions options{.nr_tolerance = 1e-13};
  const SlowScore average = [](const SlowGraph& slow, Node node) {
    return navigational(slow, node, false);
  };
  compare("nr", options, average);
  compare("nr-full", options, average);
  compare("nr-sum", options,
          [](const SlowGraph& slow, Node node) { return navigational(slow, node, true); });
}

// ---- the others ---------------------------------------------------------------------------------

TEST(Estimators, TheOracleKnowsTheTruth) {
  // Each web has scores of its own, so the formula is looked up by seed.
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const SimulatedWeb web = scored_web(seed);
    crawl_in_step(web, "oracle", {}, kSeeds, kSteps, [&](Explorer& explorer, SlowGraph& slow) {
      for (const Node node : slow.frontier) {
        EXPECT_EQ(explorer.estimator().score(node), web.node_scores()[node]);
      }
    });
  }
}

// a -> b, c; b (poor) -> d (rich); c (fair) -> e (nothing). By hand: c, then b, d, e.
TEST(Estimators, GreedyWithTheOracleByHand) {
  const auto graph = Snapshot::from_links(5, {{0, 1}, {0, 2}, {1, 3}, {2, 4}});
  const SimulatedWeb web(graph, {1, 0.5, 1, 3, 0}, {});
  const ExploreRun run = explore(web, "oracle", std::vector<Node>{0}, {.budget = 10});
  EXPECT_EQ(run.order, (std::vector<Node>{2, 1, 3, 4}));
  EXPECT_EQ(run.values, (std::vector<double>{2, 2.5, 5.5, 5.5}));
  EXPECT_EQ(run.ended, ExploreEnd::EmptyFrontier);
}

TEST(Estimators, RandomTakesEachNodeOfTheFrontierAboutEquallyOften) {
  KnownGraph known;
  const auto random = make_estimator("random", known, {.seed = 11});
  for (Node node = 0; node < 10; ++node) known.discover(node);
  std::vector<int> counts(10);
  std::vector<Node> nodes;
  for (int i = 0; i < 10000; ++i) {
    nodes.clear();
    random->best(2, nodes);
    ASSERT_EQ(nodes.size(), 2u);
    ASSERT_NE(nodes[0], nodes[1]);
    ++counts[nodes[0]];
    ++counts[nodes[1]];
  }
  for (const int count : counts) EXPECT_NEAR(count, 2000, 200);
}

// Two pages, equal in score. The first was seen first; the second has the richer parent.
TEST(Estimators, TiesAreBrokenByTheRule) {
  const auto first_choice = [](TieBreak ties, std::uint64_t seed) {
    KnownGraph known;
    const auto estimator = make_estimator("nh-e-sum", known, {.seed = seed, .ties = ties});
    for (const Node node : {0, 1}) {
      known.discover(node);
      estimator->came(node);
    }
    for (const Node node : {0, 1}) {
      estimator->left(node, known.claim(node));
      const KnownLink link{node + 2, 0};
      estimator->learn(known.crawl(node, node + 1, {&link, 1}));
    }
    std::vector<Node> nodes;
    estimator->best(1, nodes);
    return nodes.at(0);
  };
  EXPECT_EQ(first_choice(TieBreak::First, 1), 2u);
  EXPECT_EQ(first_choice(TieBreak::NodeSum, 1), 3u);
  std::set<Node> chosen;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    chosen.insert(first_choice(TieBreak::Random, seed));
  EXPECT_EQ(chosen.size(), 2u);
}

TEST(Estimators, AreFoundByNameAndOtherwiseRefused) {
  KnownGraph known;
  EXPECT_THROW(make_estimator("nh", known), Error);
  EXPECT_THROW(make_estimator("nr", known, {.nr_damping = 0}), Error);
  EXPECT_THROW(make_estimator("oracle", known), Error);
  for (const EstimatorEntry& entry : estimators()) {
    const double truth[] = {1};
    EXPECT_NE(make_estimator(entry.name, known, {.truth = truth}), nullptr) << entry.name;
  }
}

}  // namespace
}  // namespace webstrata
