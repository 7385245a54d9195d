// SPDX-License-Identifier: Apache-2.0

// Cumulative distributions: the share of values that are at most x (Figures 1 to 3 of the LiveRank
// paper).

#pragma once

#include <cstddef>
#include <vector>

namespace webstrata {

struct CumulativePoint {
  double value = 0;
  double share = 0;  // of the values that are no larger

  friend bool operator==(const CumulativePoint&, const CumulativePoint&) = default;
};

// One point for each different value, ascending; about `points_max` of them at equal steps of the
// share where there are more, the first and the last always.
std::vector<CumulativePoint> cumulative(std::vector<double> values, std::size_t points_max = 300);

}  // namespace webstrata
