// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/rules/budget.h"

#include <gtest/gtest.h>

#include <deque>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

// Against the definition: in no period of d are there more than k requests.
TEST(Budget, NoPeriodHoldsMoreRequestsThanTheRate) {
  Random random(7);
  RateWindow window;
  window.set(Rate{5, 100});
  std::vector<Moment> leased;
  Moment now = 0;
  for (int i = 0; i < 500; ++i) {
    now += static_cast<Moment>(random.below(30));
    now = std::max(now, window.free_at());
    window.note(now);
    leased.push_back(now);
  }
  for (std::size_t i = 5; i < leased.size(); ++i) EXPECT_GT(leased[i] - leased[i - 5], 100);
  // Nor is it stricter than necessary.
  EXPECT_LE(window.free_at(), leased[leased.size() - 5] + 101);
}

}  // namespace
}  // namespace webstrata
