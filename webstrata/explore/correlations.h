// SPDX-License-Identifier: Apache-2.0

// How well the neighbourhood predicts the score of a page: Tables 2 and 3 of the paper, for any
// scored graph.

#pragma once

#include <string>
#include <vector>

#include "webstrata/explore/simulator.h"

namespace webstrata {

struct FeatureFit {
  std::string direction;  // "in": what links to a page; "out": what it links to
  // Pearson's correlation of the score with each feature; NaN where one of them never varies. In
  // the order of kFeatureNames.
  std::vector<double> correlations;
  double fit_sum = 0;  // R^2 of a linear model on the three sums; NaN if scores never vary
  double fit_max = 0;  // on the three maxima
};
inline constexpr const char* kFeatureNames[] = {"n_sum", "e_sum", "ne_sum",
                                                "n_max", "e_max", "ne_max"};

// Over all pages with a link in that direction. First "in", then "out".
std::vector<FeatureFit> feature_fits(const SimulatedWeb& web);

}  // namespace webstrata
