// SPDX-License-Identifier: Apache-2.0

// Tested by tests/report/pack_test.cpp.

#include "webstrata/report/pack.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace webstrata::report {
namespace {

constexpr int kStepsPerGap = 4;

using Places = std::vector<Point>;

Point middle(const Places& places) {
  Point sum;
  for (const Point& place : places) sum = {sum.x + place.x, sum.y + place.y};
  const auto count = static_cast<double>(places.size());
  return {sum.x / count, sum.y / count};
}

double radius(const Places& places, Point around) {
  double farthest = 0;
  for (const Point& place : places) {
    farthest = std::max(farthest, std::hypot(place.x - around.x, place.y - around.y));
  }
  return farthest;
}

double nearest(const Places& part, Point moved, const Places& others) {
  double least = std::numeric_limits<double>::infinity();
  for (const Point& place : part) {
    for (const Point& other : others) {
      least = std::min(least, std::hypot(place.x + moved.x - other.x, place.y + moved.y - other.y));
    }
  }
  return least;
}

// From outside straight towards the middle of the others, as far as `gap` allows.
Point way_in(const Places& part, const Places& others, double gap) {
  const Point from = middle(part);
  const Point to = middle(others);
  const double apart = std::hypot(from.x - to.x, from.y - to.y);
  const Point outward =
      apart > 0 ? Point{(from.x - to.x) / apart, (from.y - to.y) / apart} : Point{1, 0};
  const auto moved_to = [&](double distance) {
    return Point{to.x + distance * outward.x - from.x, to.y + distance * outward.y - from.y};
  };
  const double step = gap / kStepsPerGap;
  double distance = radius(part, from) + radius(others, to) + gap;
  while (distance > step && nearest(part, moved_to(distance - step), others) >= gap) {
    distance -= step;
  }
  return moved_to(distance);
}

// The places of each part, as indices; the largest first.
std::vector<std::vector<std::size_t>> members_of(std::span<const std::size_t> part_of) {
  std::vector<std::vector<std::size_t>> parts;
  for (std::size_t i = 0; i < part_of.size(); ++i) {
    parts.resize(std::max(parts.size(), part_of[i] + 1));
    parts[part_of[i]].push_back(i);
  }
  std::ranges::stable_sort(parts, std::greater<>(), &std::vector<std::size_t>::size);
  return parts;
}

}  // namespace

void pack_parts(std::span<const std::size_t> part_of, double gap, std::vector<Point>& places) {
  Places packed;
  for (const std::vector<std::size_t>& members : members_of(part_of)) {
    Places part;
    for (const std::size_t i : members) part.push_back(places[i]);
    const Point moved = packed.empty() ? Point{} : way_in(part, packed, gap);
    for (const std::size_t i : members) {
      places[i] = {places[i].x + moved.x, places[i].y + moved.y};
      packed.push_back(places[i]);
    }
  }
}

}  // namespace webstrata::report
