// SPDX-License-Identifier: Apache-2.0

// How a cost grows with the size of what is worked on, measured on copies of one crawl.

#pragma once

#include <string>
#include <vector>

namespace webstrata {

struct GrowthPoint {
  double size = 0;
  double cost = 0;
};

// The exponent of a power law through the points, by least squares of the logarithms.
double growth_exponent(const std::vector<GrowthPoint>& points);

// A line of debweb with its hosts renamed, so that copies of the crawl are different webs.
std::string renamed(std::string line, int copy);
std::vector<std::string> renamed(const std::vector<std::string>& lines, int copy);

}  // namespace webstrata
