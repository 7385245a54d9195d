// SPDX-License-Identifier: Apache-2.0

// The parts of PB and LORE against slow references.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/liverank/small_population.h"
#include "webstrata/liverank/beta_rank.h"
#include "webstrata/liverank/evidence.h"
#include "webstrata/liverank/logistic.h"
#include "webstrata/liverank/lore_model.h"
#include "webstrata/liverank/page_features.h"

namespace webstrata {
namespace {

// The matrix T of beta_rank.h written out, and its PageRank by 300 plain iterations.
std::vector<double> slow_mass(const Population& pages, const std::vector<Node>& sources) {
  std::vector<std::vector<double>> rows(pages.size(), std::vector<double>(pages.size()));
  for (Node page = 0; page < pages.size(); ++page) {
    for (const Node target : pages.graph.successors(page)) {
      rows[page][target] += 1;
      rows[target][page] += 1;
    }
  }
  for (const UrlLevel& level : pages.levels) {
    for (std::uint32_t group = 0; group < level.sizes.size(); ++group) {
      if (level.sizes[group] < 2) continue;
      for (auto& row : rows) row.push_back(0);
      rows.emplace_back(rows[0].size());
      for (Node page = 0; page < pages.size(); ++page) {
        if (level.group_of[page] != group) continue;
        rows[page].back() = 1;
        rows.back()[page] = 1;
      }
    }
  }
  for (auto& row : rows) {
    row.resize(rows.size());
    double sum = 0;
    for (const double value : row) sum += value;
    for (double& value : row) value /= sum > 0 ? sum : 1;
  }
  std::vector<double> jumps(rows.size());
  for (const Node page : sources) jumps[page] += 0.3;
  std::vector<double> mass = jumps;
  for (int i = 0; i < 300; ++i) {
    std::vector<double> next = jumps;
    for (std::size_t from = 0; from < rows.size(); ++from) {
      for (std::size_t to = 0; to < rows.size(); ++to)
        next[to] += 0.7 * mass[from] * rows[from][to];
    }
    mass = next;
  }
  return mass;
}

TEST(BetaRank, IsTheBetaMeanOfMasses) {
  const Population pages = population_of(made_web(3, 6, 5));
  BetaRank exact(pages, 0);
  BetaRank pushed(pages, 1e-9);
  for (const Node page : {0, 1, 7}) {
    exact.add(page, true);
    pushed.add(page, true);
  }
  for (const Node page : {3, 12}) {
    exact.add(page, false);
    pushed.add(page, false);
  }
  const auto live = slow_mass(pages, {0, 1, 7});
  const auto dead = slow_mass(pages, {3, 12});
  std::vector<double> scores(pages.size());
  std::vector<double> pushed_scores(pages.size());
  exact.score(scores);
  pushed.score(pushed_scores);
  const double rate = 4.0 / 7;
  for (Node page = 0; page < pages.size(); ++page) {
    const double wanted = (live[page] + 0.02 * rate) / (live[page] + dead[page] + 0.02);
    EXPECT_NEAR(scores[page], wanted, 1e-6) << page;
    EXPECT_NEAR(pushed_scores[page], wanted, 1e-5) << page;
  }
}

// Where answers follow hosts, masses are trusted; where they follow nothing, they are not.
TEST(BetaRank, LearnsWhetherMassesPredict) {
  const Population pages = population_of(made_web(20, 30, 5));
  BetaRank hosts(pages, 1e-4);
  BetaRank nothing(pages, 1e-4);
  Random random(6);
  for (Node page = 0; page < pages.size(); page += 2) {
    hosts.add(page, page / 30 % 2 == 0);
    nothing.add(page, random.chance(0.5));
  }
  EXPECT_TRUE(hosts.fit());
  EXPECT_FALSE(nothing.fit());
}

double wanted_evidence(double live, double dead, double rate) {
  const double mean = (live + rate) / (live + dead + 1);
  return std::log(mean / (1 - mean)) - std::log(rate / (1 - rate));
}

// Every relation counted from scratch from the answers, without the page itself.
std::vector<double> slow_evidence(const Population& pages, const std::vector<int>& answers,
                                  Node page, double rate) {
  const Snapshot& graph = pages.graph;
  std::vector<double> found;
  const auto add = [&](auto weight) {
    double live = 0;
    double dead = 0;
    for (Node other = 0; other < pages.size(); ++other) {
      if (other == page || answers[other] < 0) continue;
      (answers[other] == 1 ? live : dead) += weight(other);
    }
    found.push_back(wanted_evidence(live, dead, rate));
  };
  const auto links = [&](Node a, Node b) { return graph.find_link(a, b) ? 1.0 : 0.0; };
  add([&](Node other) { return links(page, other); });
  add([&](Node other) { return links(other, page); });
  add([&](Node other) {
    double sum = 0;
    for (Node mid = 0; mid < pages.size(); ++mid) {
      if (graph.out_degree(mid) > 0)
        sum += links(mid, page) * links(mid, other) / graph.out_degree(mid);
    }
    return sum;
  });
  add([&](Node other) {
    double sum = 0;
    for (Node mid = 0; mid < pages.size(); ++mid) {
      if (graph.in_degree(mid) > 0)
        sum += links(page, mid) * links(other, mid) / graph.in_degree(mid);
    }
    return sum;
  });
  for (const UrlLevel& level : pages.levels) {
    add([&](Node other) { return level.group_of[other] == level.group_of[page] ? 1.0 : 0.0; });
  }
  return found;
}

TEST(Evidence, IsThatOfAllRelativesButThePageItself) {
  const Population pages = population_of(made_web(4, 8, 6));
  Evidence evidence(pages);
  Random random(8);
  std::vector<int> answers(pages.size(), -1);
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 5; ++i) {
      const auto page = static_cast<Node>(random.below(pages.size()));
      if (answers[page] >= 0) continue;
      answers[page] = random.chance(0.5) ? 1 : 0;
      evidence.add(page, answers[page] == 1);
    }
    evidence.settle();
    for (Node page = 0; page < pages.size(); ++page) {
      const auto own = answers[page] < 0    ? Evidence::Own::Untested
                       : answers[page] == 1 ? Evidence::Own::Live
                                            : Evidence::Own::Dead;
      std::vector<float> values(evidence.size());
      evidence.values(page, own, 0.6, values.data());
      const auto wanted = slow_evidence(pages, answers, page, 0.6);
      ASSERT_EQ(values.size(), wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_NEAR(values[i], wanted[i], 1e-4) << evidence.name(i) << " of " << page;
      }
    }
  }
}

LogisticRows made_rows(std::size_t count, Random& random) {
  LogisticRows rows{2, 1, {}, {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const auto a = static_cast<std::uint8_t>(random.below(3));
    const auto b = static_cast<std::uint8_t>(random.below(2));
    const auto number = static_cast<float>(random.unit() * 2 - 1);
    const double odds = -0.5 + (a == 2 ? 1.5 : 0) - (b == 1 ? 1 : 0) + 2 * number;
    rows.bins.insert(rows.bins.end(), {a, b});
    rows.numbers.push_back(number);
    rows.live.push_back(random.chance(1 / (1 + std::exp(-odds))) ? 1 : 0);
  }
  return rows;
}

double penalised_loss(const LogisticRows& rows, const std::vector<double>& w,
                      const std::vector<double>& prior, double ridge) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum += (i == 0 ? 1e-3 : ridge) / 2 * (w[i] - prior[i]) * (w[i] - prior[i]);
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double z = w[0] + w[4] * double{rows.numbers[row]};
    if (rows.bins[2 * row] > 0) z += w[rows.bins[2 * row]];
    if (rows.bins[2 * row + 1] > 0) z += w[3];
    sum += std::log(1 + std::exp(z)) - (rows.live[row] != 0 ? z : 0);
  }
  return sum;
}

// No small step in any direction is better.
TEST(Logistic, EndsAtTheMinimum) {
  Random random(9);
  const LogisticRows rows = made_rows(400, random);
  const std::uint8_t bins[] = {3, 2};
  const LogisticShape shape(bins, 1);
  ASSERT_EQ(shape.size, 5U);
  const std::vector<double> prior = {0, 0, 0, 0, 0.5};
  const LogisticFit fit = fit_logistic(shape, rows, {.ridge = 2, .prior = prior, .steps_max = 50});
  const double best = penalised_loss(rows, fit.weights, prior, 2);
  for (std::size_t i = 0; i < 5; ++i) {
    for (const double step : {-0.01, 0.01}) {
      auto moved = fit.weights;
      moved[i] += step;
      EXPECT_GT(penalised_loss(rows, moved, prior, 2), best) << i;
    }
  }
  EXPECT_LT(fit.loss, fit.base_loss);
  EXPECT_NEAR(fit.weights[4], 2, 0.6);
}

TEST(Logistic, StaysFiniteWhereTheRowsCanBeSeparated) {
  LogisticRows rows{1, 1, {}, {}, {}};
  for (int i = 0; i < 50; ++i) {
    rows.bins.push_back(static_cast<std::uint8_t>(i % 2));
    rows.numbers.push_back(i % 2 == 0 ? -100.0F : 100.0F);
    rows.live.push_back(static_cast<std::uint8_t>(i % 2));
  }
  const std::uint8_t bins[] = {2};
  const LogisticFit fit = fit_logistic(LogisticShape(bins, 1), rows, {});
  for (const double weight : fit.weights) EXPECT_TRUE(std::isfinite(weight));
  EXPECT_LT(fit.loss, 0.05);
}

TEST(Logistic, WithoutRowsIsThePrior) {
  const std::vector<double> prior = {0, 0.3};
  EXPECT_EQ(fit_logistic(LogisticShape({}, 1), {0, 1, {}, {}, {}}, {.prior = prior}).weights,
            prior);
}

// METHODS: the ridge pulls the weights of evidence to 0.15. Of two tested pages without tested
// relatives nothing is learned about relatives, so a page that links to the live one gets just that
// for it: by hand, with rate 2/4, evidence logit(1.5 / 2) − logit(1/2) = ln 3.
TEST(LoreModel, BeforeMuchIsKnownARelativeCountsFifteenHundredths) {
  std::vector<std::string> names;
  for (int i = 0; i < 4; ++i) names.push_back("http://h." + std::to_string(i) + "tld/");
  const Population pages =
      population_of(with_names(Snapshot::from_links(4, {{2, 0}, {1, 3}}), names));
  LoreModel model(pages, 1);
  model.add(0, true);
  model.add(1, false);
  ASSERT_TRUE(model.fit());
  const auto contribution = [&](Node page, const std::string& what) {
    for (const Reason& reason : model.why(page)) {
      if (reason.what == "evidence of " + what) return reason;
    }
    ADD_FAILURE() << "no " << what;
    return Reason{};
  };
  const Reason target = contribution(2, "its targets");
  EXPECT_NEAR(target.value, std::log(3), 1e-6);
  EXPECT_NEAR(target.weight, 0.15 * std::log(3), 1e-6);
  const Reason source = contribution(3, "its sources");
  EXPECT_NEAR(source.value, -std::log(3), 1e-6);
  EXPECT_NEAR(source.weight, -0.15 * std::log(3), 1e-6);
}

TEST(PageFeatures, HaveABinForWhatIsMissing) {
  NodeColumns columns;
  columns.length = Column<std::uint64_t>(40);
  for (std::size_t page = 0; page < 39; ++page) columns.length.set(page, page);
  const Population pages = population_of(Snapshot::from_links(40, {}).with_node_columns(columns));
  const PageFeatures features(pages);
  ASSERT_EQ(features.size(), 1U);  // all else is the same for all pages
  EXPECT_EQ(features.name(0), "length of its text");
  EXPECT_EQ(features.bin_counts()[0], 9);
  EXPECT_EQ(features.bins(0)[0], 0);
  EXPECT_EQ(features.bins(38)[0], 7);
  EXPECT_EQ(features.bins(39)[0], 8);
}

}  // namespace
}  // namespace webstrata
