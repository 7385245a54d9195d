// SPDX-License-Identifier: Apache-2.0

// Tested by tests/rank/distribution_test.cpp.

#include "webstrata/rank/distribution.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace webstrata {
namespace {

std::vector<TailPoint> every_point(std::span<const double> scores) {
  std::vector<double> sorted(scores.begin(), scores.end());
  std::ranges::sort(sorted, std::greater<>());
  std::vector<TailPoint> points;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const bool is_last_of_its_score = i + 1 == sorted.size() || sorted[i + 1] != sorted[i];
    if (is_last_of_its_score) points.push_back({sorted[i], i + 1});
  }
  return points;
}

}  // namespace

std::vector<TailPoint> tail_of(std::span<const double> scores, std::size_t points_max) {
  const std::vector<TailPoint> all = every_point(scores);
  if (all.size() <= points_max) return all;
  const double factor = std::pow(static_cast<double>(scores.size()),
                                 1.0 / static_cast<double>(std::max<std::size_t>(points_max, 1)));
  std::vector<TailPoint> kept;
  for (const TailPoint& point : all) {
    const bool is_end = kept.empty() || point == all.back();
    if (is_end ||
        static_cast<double>(point.nodes) >= factor * static_cast<double>(kept.back().nodes)) {
      kept.push_back(point);
    }
  }
  return kept;
}

}  // namespace webstrata
