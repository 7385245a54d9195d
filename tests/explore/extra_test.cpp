// SPDX-License-Identifier: Apache-2.0

// The parts of `extra`, each against a slow reference, and the whole against its definition.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/explore/scored_web.h"
#include "webstrata/base/error.h"
#include "webstrata/explore/expert_bandit.h"
#include "webstrata/explore/extra_features.h"
#include "webstrata/explore/extra_parameters.h"
#include "webstrata/explore/lazy_order.h"
#include "webstrata/explore/recursive_least_squares.h"

namespace webstrata {
namespace {

const std::vector<Node> kExtraSeeds = {3, 17, 40};

// ---- features -----------------------------------------------------------------------------------

struct SlowMean {
  double sum = 0;
  double weight = 0;
  [[nodiscard]] double towards(double centre, double prior) const {
    return (sum + prior * centre) / (weight + prior);
  }
};

// The mean of the seeds that score, or the first score at all.
double slow_scale(const SlowGraph& slow) {
  SlowMean mean;
  for (const auto& page : slow.pages) {
    if (!page.is_seed && mean.weight > 0) break;
    if (page.score == 0) continue;
    mean.sum += page.score;
    mean.weight += 1;
  }
  return mean.weight == 0 ? 1 : mean.sum / mean.weight;
}

double slow_mean_score(const SlowGraph& slow, double unit) {
  double sum = 0.2 * unit;
  double count = 2;
  for (const auto& page : slow.pages) {
    if (page.is_seed) continue;
    sum += page.score;
    count += 1;
  }
  return sum / count;
}

// Crawled pages that share a parent with the node, once for each parent, weighted by its links.
SlowMean slow_siblings(const SlowGraph& slow, Node node) {
  SlowMean mean;
  for (const auto& link : slow.in_links(node)) {
    for (const KnownLink& other : link.source->links) {
      const auto* sibling = slow.page(other.target);
      if (sibling == nullptr) continue;
      const double weight = 1 / static_cast<double>(link.source->links.size());
      mean.sum += weight * sibling->score;
      mean.weight += weight;
    }
  }
  return mean;
}

double slow_cash_of(const SlowGraph& slow, Node wanted) {
  std::map<Node, double> cash;
  for (const Node seed : kExtraSeeds) cash[seed] = 1.0 / 3;
  for (const auto& page : slow.pages) {
    const double amount = cash[page.node];
    cash[page.node] = 0;
    for (const KnownLink& link : page.links) {
      cash[link.target] += amount / static_cast<double>(page.links.size());
    }
  }
  return cash[wanted];
}

// The mean of crawled pages of the same group.
double slow_group_mean(const SlowGraph& slow, Node node, const KnownGraph& known, std::size_t level,
                       double mean) {
  if (level >= known.level_count() || known.groups(node)[level] == kNoGroup) return mean;
  SlowMean group;
  for (const auto& page : slow.pages) {
    if (known.groups(page.node)[level] != known.groups(node)[level]) continue;
    group.sum += page.score;
    group.weight += 1;
  }
  return group.towards(mean, 1);
}

std::vector<double> slow_features(const SlowGraph& slow, Node node, const KnownGraph& known,
                                  double unit) {
  const double mean = slow_mean_score(slow, unit) / unit;
  double sum[3] = {};
  double max[3] = {};
  double count = 0;
  double good = 0;
  double named_links = 0;
  double shared_out = 0;
  SlowMean parents;
  for (const auto& link : slow.in_links(node)) {
    const double score = link.source->score / unit;
    const double values[3] = {score, link.score, score * link.score};
    for (int i = 0; i < 3; ++i) {
      sum[i] += values[i];
      max[i] = std::max(max[i], values[i]);
    }
    const auto links = static_cast<double>(link.source->links.size());
    count += 1;
    good += score > 0 ? 1 : 0;
    named_links += link.score > 0 ? 1 : 0;
    shared_out += score / links;
    parents.sum += score / std::sqrt(links);
    parents.weight += 1 / std::sqrt(links);
  }
  SlowMean siblings = slow_siblings(slow, node);
  siblings.sum /= unit;
  const double divisor = std::max(1.0, count);
  const double named = max[1] > 0 ? 1 : 0;
  const double parent = parents.towards(mean, 0.3);
  const double sibling = siblings.towards(mean, 0.2);
  std::vector<double> x = {1,
                           max[0],
                           max[1],
                           max[2],
                           sum[0] / divisor,
                           sum[1] / divisor,
                           std::log1p(sum[0]),
                           std::log1p(sum[1]),
                           std::log1p(sum[2]),
                           std::log1p(count),
                           good / divisor,
                           parent,
                           named,
                           named * max[0],
                           sibling,
                           std::log1p(50 * slow_cash_of(slow, node)),
                           sum[0] == 0 ? 1.0 : 0.0,
                           count >= 2 ? 1.0 : 0.0,
                           count >= 4 ? 1.0 : 0.0,
                           count >= 8 ? 1.0 : 0.0};
  for (std::size_t level = 0; level < 4; ++level) {
    x.push_back(slow_group_mean(slow, node, known, level, mean * unit) / unit);
  }
  const double directory = x[x.size() - 3];
  const double last = x.back();
  for (const double value :
       {parent * sibling, sibling * last, directory * last, named * sibling,
        std::log1p(50 * shared_out), 50 * shared_out / divisor, siblings.towards(parent, 0.2),
        std::log1p(siblings.weight), named_links / divisor, std::log1p(named_links), mean,
        mean * std::log1p(count), named * mean}) {
    x.push_back(value);
  }
  return x;
}

TEST(Extra, FeaturesKeptUpToDateEqualThoseComputedAnew) {
  for (const bool with_names : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(seed);
      const SimulatedWeb web = scored_web(seed, 60, with_names);
      KnownGraph known(web.groups());
      ExtraFeatures features(known);
      SlowGraph slow;
      Random random(seed);
      std::vector<KnownLink> buffer;
      for (const Node node : kExtraSeeds) known.discover(node);
      features.begin(kExtraSeeds);
      for (std::size_t step = 0; step < 40 && !known.frontier().empty(); ++step) {
        const Node node = step < kExtraSeeds.size()
                              ? kExtraSeeds[step]
                              : known.frontier()[random.below(known.frontier().size())];
        known.claim(node);
        const CrawledPage page = web.crawl(node, buffer);
        const CrawlStep& crawled = known.crawl(node, page.score, page.links);
        features.learn_scale(crawled);
        features.learn(crawled);
        slow.crawl(node, page, step < kExtraSeeds.size());
        if (step + 1 < kExtraSeeds.size()) continue;
        std::vector<double> row(ExtraFeatures::kWidth);
        for (const Node open : slow.frontier) {
          features.fill(open, row);
          const auto expected = slow_features(slow, open, known, slow_scale(slow));
          ASSERT_EQ(row.size(), expected.size());
          for (std::size_t i = 0; i < row.size(); ++i) {
            EXPECT_NEAR(row[i], expected[i], 1e-9) << "feature " << i << " of node " << open;
          }
        }
      }
    }
  }
}

// The weight that a feature begins with.
double begins_with(std::string_view name) {
  for (std::size_t i = 0; i < extra::kFeatures; ++i) {
    if (extra::kFeatureTable[i].name == name) return extra::kFeatureWeights[i].weight;
  }
  ADD_FAILURE() << "no feature is called " << name;
  return 0;
}

// By hand: one seed that scores 1 and has one link, to a node whose links mention no keyword. Its
// features are 1 for the constant, max, mean and share of β, ln 2 for logarithms of sums and
// counts, and so on; with m = 0.1, the mean of a crawl without pages.
TEST(Extra, TheFirstScoreIsThatOfTheFittedWeights) {
  const SimulatedWeb web(Snapshot::from_links(2, {{0, 1}}), {1, 0}, {0});
  Explorer explorer("extra", {.estimator = {.budget = 10}, .groups = web.groups()});
  explorer.begin(std::vector<Node>{0});
  std::vector<Node> nodes;
  ASSERT_EQ(explorer.next(1, nodes), 1);
  std::vector<KnownLink> buffer;
  const CrawledPage page = web.crawl(0, buffer);
  explorer.crawled(0, page.score, page.links);
  const double m = 0.1;
  const double parents = (1 + 0.3 * m) / 1.3;
  const double ln2 = std::log(2);
  const auto w = begins_with;
  double expected = w("one") + w("max of β") + w("mean of β") + w("share of parents that score");
  expected += (w("ln(1 + sum of β)") + w("ln(1 + links)")) * ln2;
  expected += w("parents") * parents + w("siblings") * m + w("ln(1 + 50 cash)") * std::log(51);
  expected += (w("host") + w("directory") + w("first word") + w("last word")) * m;
  expected += w("parents × siblings") * parents * m;
  expected += (w("siblings × last word") + w("directory × last word")) * m * m;
  expected += w("ln(1 + 50 sum of β / out-links)") * std::log(51);
  expected += w("50 mean of β / out-links") * 50;
  expected += w("siblings, drawn towards parents") * parents;
  expected += w("mean of the crawl") * m + w("mean of the crawl × ln(1 + links)") * m * ln2;
  EXPECT_NEAR(explorer.estimator().score(1), expected, 1e-9);
}

// Weights given instead of its own: only the constant counts.
TEST(Extra, TakesOtherWeightsToBeginWith) {
  const SimulatedWeb web(Snapshot::from_links(2, {{0, 1}}), {1, 0}, {0});
  std::vector<PriorWeight> weights(extra::kFeatures);
  weights[0].weight = 0.75;
  Explorer explorer("extra", {.estimator = {.budget = 10, .extra_weights = weights}, .groups = {}});
  explorer.begin(std::vector<Node>{0});
  std::vector<Node> nodes;
  explorer.next_seeds(nodes);
  std::vector<KnownLink> buffer;
  const CrawledPage page = web.crawl(0, buffer);
  explorer.crawled(0, page.score, page.links);
  EXPECT_NEAR(explorer.estimator().score(1), 0.75, 1e-12);
  weights.pop_back();
  KnownGraph known;
  EXPECT_THROW(make_estimator("extra", known, {.extra_weights = weights}), Error);
}

// The score of the whole estimator is ridge regression on those features, as they were when each
// page was crawled, towards the weights it begins with: all scores from scratch at every step.
TEST(Extra, TheLearnerIsRidgeRegressionOnTheFeaturesOfTheirTime) {
  const SimulatedWeb web = scored_web(9, 60, true);
  crawl_in_step(web, "extra", {}, kExtraSeeds, 30, [&](Explorer& explorer, SlowGraph& slow) {
    const KnownGraph& known = explorer.known();
    const double unit = slow_scale(slow);
    RecursiveLeastSquares model(extra::kFeatures, 1);
    for (std::size_t i = 0; i < extra::kFeatures; ++i) {
      const auto [weight, deviation] = extra::kFeatureWeights[i];
      model.start_from(i, weight, 200 * deviation * deviation);
    }
    SlowGraph before;
    for (const auto& page : slow.pages) {
      SlowGraph with_page = before;
      with_page.pages.push_back(page);
      const double its_unit = slow_scale(with_page);
      if (!page.is_seed) {
        model.learn(slow_features(before, page.node, known, its_unit), page.score / its_unit);
      }
      before = with_page;
    }
    for (const Node node : slow.frontier) {
      EXPECT_NEAR(explorer.estimator().score(node),
                  unit * model.predict(slow_features(slow, node, known, unit)), 1e-9);
    }
  });
}

// ---- the bandit ---------------------------------------------------------------------------------

TEST(Extra, TheBanditFollowsWhoBringsMoreAndNoticesWhenThatChanges) {
  ExpertBandit bandit(3, 8, extra::kLearnerChoices);
  Random random(2);
  std::vector<int> counts(3);
  for (int step = 0; step < 3000; ++step) {
    const std::size_t good = step < 1500 ? 1 : 2;
    const std::size_t chosen = bandit.choose();
    const double reward = random.chance(chosen == good ? 0.8 : 0.2) ? 1 : 0;
    bandit.learn(reward);
    bandit.credit(chosen, reward);
    if (step == 1499) {
      EXPECT_GT(counts[1], 1100);
      counts.assign(3, 0);
    }
    ++counts[chosen];
  }
  EXPECT_GT(counts[2], 1100);
}

// Before anything is known all are equal, and noise lets each be drawn; without noise the first
// would always be chosen.
TEST(Extra, TheBanditTriesAllWhoAreEqual) {
  ExpertBandit bandit(3, 8, extra::kLearnerChoices);
  std::vector<int> counts(3);
  for (int step = 0; step < 600; ++step) ++counts[bandit.choose()];
  for (const int count : counts) EXPECT_GT(count, 60);
}

// ---- large frontiers ----------------------------------------------------------------------------

// Constant scores, so that the heap has to be exact, with many ties.
TEST(Extra, ALargeFrontierIsOrderedAsASmallOne) {
  for (const Node size : {100u, 6000u}) {
    KnownGraph known;
    Ties ties(TieBreak::First, 1);
    std::vector<double> scores;
    Random random(4);
    LazyOrder order(known, ties, [&](Node node) { return scores[node]; });
    for (Node node = 0; node < size; ++node) {
      known.discover(node);
      scores.push_back(static_cast<double>(random.below(500)));
      order.changed(node);
    }
    for (int step = 0; step < 60; ++step) {
      if (step % 3 == 0) {  // one rises
        const Node node = known.frontier()[random.below(known.frontier().size())];
        scores[node] += 300;
        order.changed(node);
      }
      std::vector<Node> best;
      order.best(2, best);
      std::vector<Node> sorted(known.frontier().begin(), known.frontier().end());
      std::sort(sorted.begin(), sorted.end(), [&](Node a, Node b) {
        return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
      });
      ASSERT_EQ(best, std::vector<Node>(sorted.begin(), sorted.begin() + 2)) << step;
      known.claim(best[0]);
      order.left(best[0]);
    }
  }
}

// ---- the whole ----------------------------------------------------------------------------------

// A fifth of the budget is the learner's alone.
TEST(Extra, BeginsWithTheLearner) {
  const SimulatedWeb web = scored_web(12, 400, true);
  Explorer explorer("extra", {.estimator = {.budget = 200}, .groups = web.groups()});
  explorer.begin(kExtraSeeds);
  std::vector<KnownLink> buffer;
  for (std::size_t step = 0; step < kExtraSeeds.size() + 40; ++step) {
    double best = -INFINITY;
    for (const Node node : explorer.known().frontier()) {
      best = std::max(best, explorer.estimator().score(node));
    }
    std::vector<Node> nodes;
    ASSERT_EQ(explorer.next(1, nodes), 1);
    if (step >= kExtraSeeds.size()) {
      EXPECT_EQ(explorer.estimator().score(nodes[0]), best) << step;
    }
    const CrawledPage page = web.crawl(nodes[0], buffer);
    explorer.crawled(nodes[0], page.score, page.links);
  }
}

// Whether classifiers score pages up to 1 or up to 100, the crawl is the same, even if the seeds
// score nothing. By a power of two, so that nothing is rounded.
TEST(Extra, TheUnitOfScoresDoesNotMatter) {
  const SimulatedWeb web = scored_web(12, 400, true);
  const std::vector<double> link_scores(web.link_scores().begin(), web.link_scores().end());
  for (const bool seeds_score : {true, false}) {
    std::vector<double> scores(web.node_scores().begin(), web.node_scores().end());
    for (const Node seed : kExtraSeeds) scores[seed] = seeds_score ? 1 : 0;
    const SimulatedWeb plain(web.graph(), scores, link_scores);
    const auto order = explore(plain, "extra", kExtraSeeds, {.budget = 200}).order;
    EXPECT_EQ(order.size(), 200U);
    for (const double factor : {1.0 / 64, 32.0}) {
      std::vector<double> other = scores;
      for (double& score : other) score *= factor;
      const SimulatedWeb scaled(web.graph(), other, link_scores);
      EXPECT_EQ(explore(scaled, "extra", kExtraSeeds, {.budget = 200}).order, order) << factor;
    }
  }
}

}  // namespace
}  // namespace webstrata
