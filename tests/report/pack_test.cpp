// SPDX-License-Identifier: Apache-2.0
#include "webstrata/report/pack.h"

#include <cmath>

#include <gtest/gtest.h>

#include "webstrata/base/random.h"

namespace webstrata::report {
namespace {

double distance_between(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

TEST(Pack, ComesNearAndKeepsItsDirection) {
  const std::vector<std::size_t> parts = {0, 0, 1};
  std::vector<Point> places = {{-1, 0}, {1, 0}, {0, 50}};
  pack_parts(parts, 1, places);
  EXPECT_EQ(places[0].x, -1);
  EXPECT_EQ(places[1].x, 1);
  EXPECT_NEAR(places[2].x, 0, 1e-12);
  EXPECT_GE(distance_between(places[2], places[0]), 1);
  EXPECT_LT(places[2].y, 0.5);  // between the two, which lie 2 apart
}

TEST(Pack, PartsWithTheSameMiddlePart) {
  const std::vector<std::size_t> parts = {0, 1};
  std::vector<Point> places = {{0, 0}, {0, 0}};
  pack_parts(parts, 2, places);
  EXPECT_GE(distance_between(places[0], places[1]), 2);
  EXPECT_LE(distance_between(places[0], places[1]), 2.6);
}

TEST(Pack, KeepsShapesAndGaps) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<std::size_t> parts;
    std::vector<Point> before;
    for (std::size_t i = 0; i < 40; ++i) {
      parts.push_back(i % 7 == 0 ? i / 7 + 1 : 0);
      before.push_back({100 * random.unit(), 100 * random.unit()});
    }
    std::vector<Point> after = before;
    pack_parts(parts, 3, after);
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (parts[i] == parts[j]) {
          EXPECT_NEAR(distance_between(after[i], after[j]), distance_between(before[i], before[j]),
                      1e-9);
        } else {
          EXPECT_GE(distance_between(after[i], after[j]), 3 - 1e-9);
        }
      }
    }
  }
}

TEST(Pack, NothingStaysNothing) {
  std::vector<Point> places;
  pack_parts({}, 1, places);
  EXPECT_TRUE(places.empty());
}

}  // namespace
}  // namespace webstrata::report
