// SPDX-License-Identifier: Apache-2.0
#include "webstrata/report/layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata::report {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

std::vector<double> distances_of(const std::vector<Point>& points) {
  std::vector<double> distances;
  for (const Point a : points) {
    for (const Point b : points) distances.push_back(distance(a, b));
  }
  return distances;
}

std::vector<Point> random_points(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Point> points(count);
  for (Point& point : points) point = {random.unit() * 10, random.unit() * 6};
  return points;
}

// Distances determine a plane figure up to rotation, reflection and translation: all must be
// reproduced.
TEST(Layout, RecoversAPlaneFigureFromItsDistances) {
  for (const std::size_t count : {2u, 3u, 4u, 12u, 60u}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto distances = distances_of(random_points(count, seed));
      const auto places = stress_layout(distances, count, {.seed = seed});
      EXPECT_LT(mean_stress(distances, places), 1e-5) << count << " points, seed " << seed;
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
          EXPECT_NEAR(distance(places[i], places[j]), distances[i * count + j], 0.1)
              << count << " points, seed " << seed;
        }
      }
    }
  }
}

// A grid of which only neighbours up to two steps away are known.
TEST(Layout, RecoversAGridFromShortDistancesAlone) {
  std::vector<Point> grid;
  for (int i = 0; i < 36; ++i) grid.push_back({double(i % 6), double(i / 6)});
  auto distances = distances_of(grid);
  for (double& d : distances) d = d > 2.3 ? kUnknown : d;
  const auto places = stress_layout(distances, grid.size());
  EXPECT_LT(mean_stress(distances, places), 1e-4);
  EXPECT_NEAR(distance(places.front(), places.back()), 5 * std::sqrt(2.0), 0.5);
}

// Distances that differ both ways: |p - q| minimises ((d-1)/1)^2 + ((d-3)/3)^2, so
// (d - 1) + (d - 3)/9 = 0 and d = (1 + 1/3) / (1 + 1/9) = 1.2.
TEST(Layout, EachDirectionPullsByItself) {
  const std::vector<double> distances = {0, 1, 3, 0};
  const auto places = stress_layout(distances, 2);
  EXPECT_NEAR(distance(places[0], places[1]), 1.2, 1e-6);
  EXPECT_NEAR(mean_stress(distances, places), (0.2 * 0.2 + 0.6 * 0.6) / 2, 1e-6);
}

TEST(Layout, MajorisationNeverRaisesTheStress) {
  Random random(5);
  std::vector<double> distances(20 * 20);
  for (double& d : distances) d = random.chance(0.3) ? kUnknown : 1 + double(random.below(5));
  double before = std::numeric_limits<double>::infinity();
  for (const int iterations : {0, 1, 2, 5, 20, 100, 500}) {
    const auto places = stress_layout(distances, 20, {.iterations_max = iterations});
    const double now = mean_stress(distances, places);
    EXPECT_LE(now, before * (1 + 1e-9)) << iterations;
    before = now;
  }
}

TEST(Layout, IsTheSameForTheSameSeedAndCentred) {
  const auto distances = distances_of(random_points(15, 3));
  const auto a = stress_layout(distances, 15, {.seed = 9});
  const auto b = stress_layout(distances, 15, {.seed = 9});
  Point sum;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].x, b[i].x);
    EXPECT_EQ(a[i].y, b[i].y);
    sum.x += a[i].x;
    sum.y += a[i].y;
  }
  EXPECT_NEAR(sum.x, 0, 1e-9);
  EXPECT_NEAR(sum.y, 0, 1e-9);
}

TEST(Layout, WhatHasNoWayBetweenLiesApart) {
  std::vector<double> distances(16, kUnknown);
  distances[0 * 4 + 1] = 1;  // one pair
  distances[2 * 4 + 3] = 1;  // another
  const auto places = stress_layout(distances, 4);
  EXPECT_NEAR(distance(places[0], places[1]), 1, 1e-3);
  EXPECT_NEAR(distance(places[2], places[3]), 1, 1e-3);
  EXPECT_GT(distance(places[0], places[2]), 0.5);
}

TEST(Layout, OddMatricesGiveFinitePlaces) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double d : {0.0, kUnknown, infinity, 1.0, 1e300, 1e-300}) {
    const std::vector<double> distances(25, d);
    for (const Point place : stress_layout(distances, 5)) {
      EXPECT_TRUE(std::isfinite(place.x) && std::isfinite(place.y)) << d;
    }
  }
  EXPECT_TRUE(stress_layout({}, 0).empty());
  EXPECT_EQ(stress_layout(std::vector<double>{kUnknown}, 1).size(), 1u);
  EXPECT_EQ(mean_stress({}, {}), 0);
}

TEST(Layout, BadMatricesAreRefused) {
  EXPECT_THROW(stress_layout(std::vector<double>(5), 2), Error);
  EXPECT_THROW(stress_layout(std::vector<double>{0, -1, 1, 0}, 2), Error);
  EXPECT_NO_THROW(
      stress_layout(std::vector<double>{-1, 1, 1, -1}, 2));  // the diagonal does not count
}

}  // namespace
}  // namespace webstrata::report
