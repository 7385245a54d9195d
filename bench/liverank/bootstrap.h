// SPDX-License-Identifier: Apache-2.0

// Paired bootstrap: how certain a difference between two methods is, run by run with the same
// seeds.

#pragma once

#include <vector>

namespace webstrata {

struct Difference {
  double mean = 0;  // of a − b: below 0, a is cheaper
  double low = 0;   // of the 95 % interval
  double high = 0;
};

// A method without randomness has one run, which is paired with every run of the other.
Difference paired_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace webstrata
