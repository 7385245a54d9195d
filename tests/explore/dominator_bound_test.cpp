// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/dominator_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

struct Pages {
  std::vector<double> scores;
  std::vector<bool> is_first;
  std::vector<std::vector<std::uint32_t>> targets;

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(scores.size()); }
  [[nodiscard]] double bound(std::uint64_t budget) const {
    return dominator_bound(scores, is_first, targets, budget);
  }
};

// Every page is linked by an earlier one or by a seed; `more` further links.
Pages drawn(Random& random, std::uint32_t count, std::uint32_t more) {
  Pages pages;
  pages.targets.resize(count);
  for (std::uint32_t page = 0; page < count; ++page) {
    pages.scores.push_back(random.chance(0.4) ? 1 + 3 * random.unit() : 0);
    const auto from = static_cast<std::uint32_t>(random.below(page + 1));
    pages.is_first.push_back(from == page);
    if (from != page) pages.targets[from].push_back(page);
  }
  for (std::uint32_t i = 0; i < more; ++i) {
    const auto to = static_cast<std::uint32_t>(random.below(count));
    pages.targets[random.below(count)].push_back(to);
  }
  return pages;
}

// The pages that are reached when `without` may not be passed.
std::uint32_t reached(const Pages& pages, std::uint32_t without) {
  std::uint32_t seen = 0;
  for (bool is_changed = true; is_changed;) {
    const std::uint32_t before = seen;
    for (std::uint32_t page = 0; page < pages.size(); ++page) {
      if (pages.is_first[page] && page != without) seen |= 1U << page;
      if ((seen >> page & 1) == 0) continue;
      for (const std::uint32_t target : pages.targets[page]) {
        if (target != without) seen |= 1U << target;
      }
    }
    is_changed = seen != before;
  }
  return seen;
}

// The definition, by all sets of pages: a page is in a set only with every page that all paths to
// it pass, which is to say, without which it cannot be reached.
double by_all_sets(const Pages& pages, int budget) {
  std::vector<std::uint32_t> needed_by(pages.size());  // the pages that need this one
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    needed_by[page] = ~reached(pages, page) & ((1U << pages.size()) - 1);
  }
  double best = 0;
  for (std::uint32_t set = 0; set < 1U << pages.size(); ++set) {
    if (std::popcount(set) > budget) continue;
    bool is_whole = true;
    double value = 0;
    for (std::uint32_t page = 0; page < pages.size(); ++page) {
      const bool is_in = (set >> page & 1) != 0;
      if (is_in) value += pages.scores[page];
      is_whole = is_whole && (is_in || (set & needed_by[page]) == 0);
    }
    if (is_whole) best = std::max(best, value);
  }
  return best;
}

TEST(DominatorBound, IsTheBestOfAllSetsThatContainTheirDominators) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto count = static_cast<std::uint32_t>(1 + random.below(11));
    const Pages pages = drawn(random, count, static_cast<std::uint32_t>(random.below(8)));
    for (const int budget : {0, 1, 2, 3, 5, 8, 20}) {
      EXPECT_NEAR(pages.bound(static_cast<std::uint64_t>(budget)), by_all_sets(pages, budget), 1e-9)
          << "seed " << seed << ", budget " << budget;
    }
  }
}

// Two paths lead to page 2, so neither page 0 nor page 1 is needed for it.
TEST(DominatorBound, APageWithTwoPathsNeedsNeither) {
  const Pages pages{{0, 0, 5}, {true, true, false}, {{2}, {2}, {}}};
  EXPECT_EQ(pages.bound(1), 5);
  const Pages path{{0, 0, 5}, {true, false, false}, {{1}, {2}, {}}};
  EXPECT_EQ(path.bound(1), 0);
  EXPECT_EQ(path.bound(2), 0);
  EXPECT_EQ(path.bound(3), 5);
}

TEST(DominatorBound, GivesUpWhereItWouldTakeTooLong) {
  Random random(3);
  const Pages pages = drawn(random, 500, 0);
  EXPECT_TRUE(std::isinf(dominator_bound(pages.scores, pages.is_first, pages.targets, 400, 10)));
  EXPECT_EQ(dominator_bound({}, {}, {}, 5), 0);
}

}  // namespace
}  // namespace webstrata
