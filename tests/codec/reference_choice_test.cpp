// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/reference_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "webstrata/base/random.h"
#include "webstrata/codec/reference_candidates.h"

namespace webstrata {
namespace {

struct Choice {
  std::uint64_t total = 0;
  unsigned chain = 0;  // the longest
};

Choice outcome_of(const ReferencePrices& prices, const std::vector<std::uint32_t>& references) {
  Choice outcome;
  std::vector<unsigned> depths;
  for (std::size_t list = 0; list < references.size(); ++list) {
    std::uint32_t price = prices.alone[list];
    for (const auto& candidate : prices.of(list)) {
      if (candidate.back == references[list]) price = candidate.price;
    }
    depths.push_back(references[list] == 0 ? 0 : depths[list - references[list]] + 1);
    outcome.total += price;
    outcome.chain = std::max(outcome.chain, depths.back());
  }
  return outcome;
}

ReferencePrices random_prices(Random& random, std::size_t count) {
  ReferencePrices prices;
  for (std::size_t list = 0; list < count; ++list) {
    prices.alone.push_back(static_cast<std::uint32_t>(2000 + random.below(30000)));
    std::set<std::uint32_t> backs;
    for (int i = 0; i < 4 && list > 0; ++i) {
      backs.insert(static_cast<std::uint32_t>(1 + random.below(std::min<std::size_t>(list, 8))));
    }
    std::vector<ReferenceCandidate> candidates;
    for (const auto back : backs) {
      candidates.push_back({back, static_cast<std::uint32_t>(random.below(prices.alone[list]))});
    }
    std::ranges::sort(candidates, {}, &ReferenceCandidate::price);
    prices.candidates.insert(prices.candidates.end(), candidates.begin(), candidates.end());
    prices.ends.push_back(static_cast<std::uint32_t>(prices.candidates.size()));
  }
  return prices;
}

// The cheapest choice of all, by trying every one.
std::uint64_t best_total(const ReferencePrices& prices, unsigned chain_max,
                         std::vector<unsigned>& depths) {
  const std::size_t list = depths.size();
  if (list == prices.alone.size()) return 0;
  depths.push_back(0);
  std::uint64_t best = prices.alone[list] + best_total(prices, chain_max, depths);
  for (const auto& candidate : prices.of(list)) {
    const unsigned depth = depths[list - candidate.back] + 1;
    if (depth > chain_max) continue;
    depths[list] = depth;
    best = std::min(best, candidate.price + best_total(prices, chain_max, depths));
  }
  depths.pop_back();
  return best;
}

TEST(ReferenceChoice, ChainsStayShort) {
  constexpr std::uint64_t kSeed = 31;
  Random random(kSeed);
  for (unsigned chain_max = 0; chain_max <= 3; ++chain_max) {
    const auto prices = random_prices(random, 3000);
    const auto outcome = outcome_of(prices, choose_references(prices, chain_max));
    EXPECT_LE(outcome.chain, chain_max) << "seed " << kSeed;
    std::uint64_t alone = 0;
    for (const auto price : prices.alone) alone += price;
    EXPECT_LE(outcome.total, alone);
    if (chain_max == 0) {
      EXPECT_EQ(outcome.total, alone);
    }
  }
}

TEST(ReferenceChoice, ComesNearTheBestOfAll) {
  constexpr std::uint64_t kSeed = 32;
  Random random(kSeed);
  std::uint64_t found = 0;
  std::uint64_t best = 0;
  for (int round = 0; round < 100; ++round) {
    const auto prices = random_prices(random, 8);
    const auto outcome = outcome_of(prices, choose_references(prices, 2));
    std::vector<unsigned> depths;
    const std::uint64_t limit = best_total(prices, 2, depths);
    EXPECT_GE(outcome.total, limit) << "seed " << kSeed << " round " << round;
    found += outcome.total;
    best += limit;
  }
  EXPECT_LE(found * 100, best * 110);
}

TEST(ReferenceCandidates, AreTheListsThatShareTargets) {
  constexpr std::uint64_t kSeed = 33;
  Random random(kSeed);
  ReferenceCandidates candidates;
  std::vector<std::set<Uid>> lists;
  std::vector<std::uint8_t> found;
  for (std::size_t number = 0; number < 600; ++number) {
    std::set<Uid> list;
    if (number > 0 && random.chance(0.5)) {
      list = lists[number - 1 - random.below(std::min<std::size_t>(number, 64))];
    }
    for (std::uint64_t i = random.below(9); i > 0; --i) list.insert(random.below(4000));
    candidates.offer(std::vector<Uid>(list.begin(), list.end()), 64, found);
    std::set<std::size_t> expected;
    for (std::size_t back = 1; back <= std::min<std::size_t>(number, 64); ++back) {
      if (std::ranges::any_of(lists[number - back], [&](Uid t) { return list.contains(t); })) {
        expected.insert(back);
      }
    }
    EXPECT_EQ(std::set<std::size_t>(found.begin(), found.end()), expected) << "seed " << kSeed;
    lists.push_back(std::move(list));
  }
}

TEST(ReferenceCandidates, TheListThatSharesMostComesFirst) {
  ReferenceCandidates candidates;
  std::vector<std::uint8_t> found;
  candidates.offer(std::vector<Uid>{1, 2, 3, 4, 5, 6, 7, 8}, 8, found);
  EXPECT_TRUE(found.empty());
  candidates.offer(std::vector<Uid>{1, 2, 30, 40}, 8, found);
  EXPECT_EQ(found, std::vector<std::uint8_t>{1});
  candidates.offer(std::vector<Uid>{1, 2, 3, 4, 5, 6, 7, 9}, 8, found);
  EXPECT_EQ(found, (std::vector<std::uint8_t>{2, 1}));
}

}  // namespace
}  // namespace webstrata
