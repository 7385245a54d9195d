// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/measures_test.cpp.

#include "webstrata/liverank/cumulative.h"

#include <algorithm>

namespace webstrata {

std::vector<CumulativePoint> cumulative(std::vector<double> values, std::size_t points_max) {
  std::ranges::sort(values);
  const auto count = static_cast<double>(values.size());
  const double step = 1 / static_cast<double>(points_max);
  std::vector<CumulativePoint> points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_last = i + 1 == values.size();
    if (!is_last && values[i + 1] == values[i]) continue;
    const double share = static_cast<double>(i + 1) / count;
    if (points.empty() || is_last || share >= points.back().share + step) {
      points.push_back({values[i], share});
    }
  }
  return points;
}

}  // namespace webstrata
