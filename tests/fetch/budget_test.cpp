#include "webstrata/fetch/budget.h"

#include <gtest/gtest.h>

#include <deque>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

TEST(Budget, DurationsAndRatesAreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_duration("15m"), 900'000);
  EXPECT_EQ(parse_duration("250ms"), 250);
  EXPECT_EQ(parse_duration("1.5"), 1500);
  EXPECT_EQ(parse_duration("1.5s"), 1500);
  EXPECT_EQ(parse_duration("3d"), 3 * 86'400'000);
  EXPECT_EQ(parse_duration("0"), 0);
  for (const char* wrong : {"", "-1s", "s", "5x", "nan", "1e3s", "9999999999999w"}) {
    EXPECT_FALSE(parse_duration(wrong)) << wrong;
  }
  EXPECT_EQ(parse_rate("300/15m"), (Rate{300, 900'000}));
  EXPECT_EQ(parse_rate("10/s"), (Rate{10, 1000}));
  for (const char* wrong : {"", "300", "/15m", "0/s", "3/", "3/0s", "-3/s", "3.5/s"}) {
    EXPECT_FALSE(parse_rate(wrong)) << wrong;
  }
  EXPECT_EQ(duration_text(900'000), "15m");
  EXPECT_EQ(duration_text(1500), "1.5s");
  EXPECT_EQ(duration_text(20), "20ms");
}

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
  // It is no stricter than it must be, either.
  EXPECT_LE(window.free_at(), leased[leased.size() - 5] + 101);
}

}  // namespace
}  // namespace webstrata
