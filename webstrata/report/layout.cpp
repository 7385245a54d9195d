// SPDX-License-Identifier: Apache-2.0

// Stress majorisation (Gansner, Koren and North, "Graph Drawing by Stress Majorization", 2004, in
// its localised form): a node moves to the weighted mean of the places where its neighbours want
// it, which never raises the stress. It finds the nearest local minimum, so it starts from
// classical scaling (Torgerson 1952): the two largest eigenvectors of the centred squared
// distances, where unknown distances are the shortest path over known ones. Tested by
// tests/report/layout_test.cpp.

#include "webstrata/report/layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/report/pack.h"

namespace webstrata::report {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

using Vector = std::vector<double>;

// The desired distance of two things, both directions combined; weight 0: none.
struct Wish {
  double distance = kUnknown;
  double weight = 0;
};

template <typename Visit>
void each_distance(std::span<const double> distances, std::size_t count, Visit&& visit) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      if (i != j) visit(i, j, distances[i * count + j]);
    }
  }
}

void check_distances(std::span<const double> distances, std::size_t count) {
  if (distances.size() != count * count) {
    throw Error(ErrorKind::BadInput, fmt::format("layout: {} distances for {} things; give {}",
                                                 distances.size(), count, count * count));
  }
  each_distance(distances, count, [](std::size_t i, std::size_t j, double d) {
    if (!(d < 0)) return;
    throw Error(ErrorKind::BadInput,
                fmt::format("layout: the distance from {} to {} is {}; give 0 or more", i, j, d));
  });
}

// A distance of zero would have infinite weight: it gets the weight of the shortest other one.
double weight_floor(std::span<const double> distances, std::size_t count) {
  double floor = kUnknown;
  each_distance(distances, count, [&](std::size_t, std::size_t, double d) {
    if (d > 0) floor = std::min(floor, d);
  });
  return std::isfinite(floor) ? floor : 1;
}

// The unit of computation: squares of very large or small distances would lose precision.
double farthest(std::span<const double> distances, std::size_t count) {
  double longest = 0;
  each_distance(distances, count, [&](std::size_t, std::size_t, double d) {
    if (std::isfinite(d)) longest = std::max(longest, d);
  });
  return longest > 0 ? longest : 1;
}

double weight_of(double wanted, double floor) {
  return 1 / (std::max(wanted, floor) * std::max(wanted, floor));
}

// Two terms w (d - a)^2 + v (d - b)^2 are, up to a constant, one with their weighted mean.
void add_wish(Wish& wish, double wanted, double weight) {
  const double before = wish.weight > 0 ? wish.weight * wish.distance : 0;
  wish.weight += weight;
  wish.distance = (before + weight * wanted) / wish.weight;
}

std::vector<Wish> join_directions(std::span<const double> distances, std::size_t count) {
  const double floor = weight_floor(distances, count);
  std::vector<Wish> wishes(count * count);
  each_distance(distances, count, [&](std::size_t i, std::size_t j, double d) {
    if (!std::isfinite(d)) return;
    add_wish(wishes[i * count + j], d, weight_of(d, floor));
    add_wish(wishes[j * count + i], d, weight_of(d, floor));
  });
  return wishes;
}

// ---- the start: classical scaling ---------------------------------------------------------------

// All distances, by shortest paths (Floyd 1962); without a path, 1.5 times the longest.
Vector complete_distances(const std::vector<Wish>& wishes, std::size_t count) {
  Vector ways(count * count);
  for (std::size_t i = 0; i < ways.size(); ++i) ways[i] = wishes[i].distance;
  for (std::size_t i = 0; i < count; ++i) ways[i * count + i] = 0;
  for (std::size_t via = 0; via < count; ++via) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        ways[i * count + j] =
            std::min(ways[i * count + j], ways[i * count + via] + ways[via * count + j]);
      }
    }
  }
  double farthest = 0;
  for (const double way : ways) farthest = std::isfinite(way) ? std::max(farthest, way) : farthest;
  std::ranges::replace(ways, kUnknown, farthest > 0 ? 1.5 * farthest : 1);
  return ways;
}

// -1/2 J D² J with J = I - 1/n: the inner products of centred places.
Vector inner_products(Vector ways, std::size_t count) {
  const auto n = static_cast<double>(count);
  for (double& way : ways) way *= way;
  Vector means(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) means[i] += ways[i * count + j] / n;
  }
  double mean = 0;
  for (const double row : means) mean += row / n;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      ways[i * count + j] = -(ways[i * count + j] - means[i] - means[j] + mean) / 2;
    }
  }
  return ways;
}

double norm(const Vector& vector) {
  double sum = 0;
  for (const double entry : vector) sum += entry * entry;
  return std::sqrt(sum);
}

// The eigenvector of the largest eigenvalue, as long as the root of that value, by power iteration.
// The matrix is shifted so that no negative eigenvalue is larger in magnitude.
Vector leading_axis(const Vector& matrix, std::size_t count, Random& random) {
  double shift = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double row = 0;
    for (std::size_t j = 0; j < count; ++j) row += std::abs(matrix[i * count + j]);
    shift = std::max(shift, row / 2);
  }
  Vector axis(count);
  for (double& entry : axis) entry = random.unit() - 0.5;
  double length = norm(axis);
  for (int round = 0; round < 200 && length > 0; ++round) {
    for (double& entry : axis) entry /= length;
    Vector next(count);
    for (std::size_t i = 0; i < count; ++i) {
      next[i] = shift * axis[i];
      for (std::size_t j = 0; j < count; ++j) next[i] += matrix[i * count + j] * axis[j];
    }
    length = norm(next);
    axis = std::move(next);
  }
  const double eigenvalue = std::max(length - shift, 0.0);
  for (double& entry : axis) entry *= length > 0 ? std::sqrt(eigenvalue) / length : 0;
  return axis;
}

void take_off_axis(Vector& matrix, const Vector& axis, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) matrix[i * count + j] -= axis[i] * axis[j];
  }
}

// No two places may be equal, or they could never separate.
std::vector<Point> classical_scaling(const std::vector<Wish>& wishes, std::size_t count,
                                     Random& random) {
  const Vector ways = complete_distances(wishes, count);
  const double jitter = 1e-3 * *std::ranges::max_element(ways);
  Vector products = inner_products(ways, count);
  const Vector x = leading_axis(products, count, random);
  take_off_axis(products, x, count);
  const Vector y = leading_axis(products, count, random);
  std::vector<Point> places(count);
  for (std::size_t i = 0; i < count; ++i) {
    places[i] = {x[i] + jitter * (random.unit() - 0.5), y[i] + jitter * (random.unit() - 0.5)};
  }
  return places;
}

// ---- majorisation -------------------------------------------------------------------------------

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

double total_stress(const std::vector<Wish>& wishes, const std::vector<Point>& places) {
  const std::size_t count = places.size();
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Wish& wish = wishes[i * count + j];
      if (wish.weight == 0) continue;
      const double error = distance(places[i], places[j]) - wish.distance;
      sum += wish.weight * error * error;
    }
  }
  return sum;
}

// Each neighbour wants the node at the desired distance, in its present direction.
Point wanted_place(const std::vector<Wish>& wishes, const std::vector<Point>& places,
                   std::size_t node) {
  Point sum;
  double weights = 0;
  for (std::size_t other = 0; other < places.size(); ++other) {
    const Wish& wish = wishes[node * places.size() + other];
    if (other == node || wish.weight == 0) continue;
    const double now = distance(places[node], places[other]);
    const double stretch = now > 0 ? wish.distance / now : 0;
    sum.x += wish.weight * (places[other].x + stretch * (places[node].x - places[other].x));
    sum.y += wish.weight * (places[other].y + stretch * (places[node].y - places[other].y));
    weights += wish.weight;
  }
  return weights > 0 ? Point{sum.x / weights, sum.y / weights} : places[node];
}

void majorise(const std::vector<Wish>& wishes, std::vector<Point>& places,
              const LayoutOptions& options) {
  double stress = total_stress(wishes, places);
  for (int iteration = 0; iteration < options.iterations_max; ++iteration) {
    for (std::size_t node = 0; node < places.size(); ++node) {
      places[node] = wanted_place(wishes, places, node);
    }
    const double before = std::exchange(stress, total_stress(wishes, places));
    if (before - stress <= options.tolerance * before) return;
  }
}

// ---- parts without a known way between them -----------------------------------------------------

std::vector<std::size_t> connected_parts(const std::vector<Wish>& wishes, std::size_t count) {
  std::vector<std::size_t> part_of(count, count);
  std::size_t parts = 0;
  for (std::size_t first = 0; first < count; ++first) {
    if (part_of[first] < count) continue;
    std::vector<std::size_t> open = {first};
    part_of[first] = parts;
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      for (std::size_t other = 0; other < count; ++other) {
        if (part_of[other] < count || wishes[node * count + other].weight == 0) continue;
        part_of[other] = parts;
        open.push_back(other);
      }
    }
    ++parts;
  }
  return part_of;
}

double mean_wish(const std::vector<Wish>& wishes) {
  double sum = 0;
  double known = 0;
  for (const Wish& wish : wishes) {
    if (wish.weight == 0) continue;
    sum += wish.distance;
    ++known;
  }
  return sum > 0 ? sum / known : 1;
}

void centre(std::vector<Point>& places) {
  Point mean;
  for (const Point& place : places) {
    mean.x += place.x / static_cast<double>(places.size());
    mean.y += place.y / static_cast<double>(places.size());
  }
  for (Point& place : places) place = {place.x - mean.x, place.y - mean.y};
}

}  // namespace

std::vector<Point> stress_layout(std::span<const double> distances, std::size_t count,
                                 const LayoutOptions& options) {
  check_distances(distances, count);
  if (count == 0) return {};
  const double scale = farthest(distances, count);
  std::vector<double> scaled(distances.begin(), distances.end());
  for (double& d : scaled) d /= scale;
  const std::vector<Wish> wishes = join_directions(scaled, count);
  Random random(options.seed);
  std::vector<Point> places = classical_scaling(wishes, count, random);
  majorise(wishes, places, options);
  pack_parts(connected_parts(wishes, count), mean_wish(wishes), places);
  centre(places);
  for (Point& place : places) place = {place.x * scale, place.y * scale};
  return places;
}

double mean_stress(std::span<const double> distances, std::span<const Point> places) {
  const std::size_t count = places.size();
  check_distances(distances, count);
  const double floor = weight_floor(distances, count);
  double sum = 0;
  std::size_t known = 0;
  each_distance(distances, count, [&](std::size_t i, std::size_t j, double wanted) {
    if (!std::isfinite(wanted)) return;
    const double error = (distance(places[i], places[j]) - wanted) / std::max(wanted, floor);
    sum += error * error;
    ++known;
  });
  return known == 0 ? 0 : sum / static_cast<double>(known);
}

}  // namespace webstrata::report
