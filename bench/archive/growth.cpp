// SPDX-License-Identifier: Apache-2.0
#include "bench/archive/growth.h"

#include <cmath>

#include <fmt/format.h>

namespace webstrata {

double growth_exponent(const std::vector<GrowthPoint>& points) {
  double x_sum = 0;
  double y_sum = 0;
  for (const GrowthPoint& point : points) {
    x_sum += std::log(point.size);
    y_sum += std::log(point.cost);
  }
  const double x_mean = x_sum / static_cast<double>(points.size());
  const double y_mean = y_sum / static_cast<double>(points.size());
  double above = 0;
  double below = 0;
  for (const GrowthPoint& point : points) {
    above += (std::log(point.size) - x_mean) * (std::log(point.cost) - y_mean);
    below += (std::log(point.size) - x_mean) * (std::log(point.size) - x_mean);
  }
  return above / below;
}

std::string renamed(std::string line, int copy) {
  constexpr std::string_view kDomain = ".docs.example/";
  const std::string other = fmt::format(".docs{}.example/", copy);
  for (auto at = line.find(kDomain); at != std::string::npos; at = line.find(kDomain, at)) {
    line.replace(at, kDomain.size(), other);
    at += other.size();
  }
  return line;
}

std::vector<std::string> renamed(const std::vector<std::string>& lines, int copy) {
  std::vector<std::string> others;
  others.reserve(lines.size());
  for (const std::string& line : lines) others.push_back(renamed(line, copy));
  return others;
}

}  // namespace webstrata
