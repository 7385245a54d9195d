// SPDX-License-Identifier: Apache-2.0

// Places in the plane for things with known distances.
//
//   const auto places = report::stress_layout(distances, count, {.seed = 1});
//
// The places minimise the stress of Kamada and Kawai (1989): the sum over all known distances d of
// ((|p - q| - d) / d)^2.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace webstrata::report {

struct Point {
  double x = 0;
  double y = 0;
};

struct LayoutOptions {
  std::uint64_t seed = 1;
  int iterations_max = 1000;
  double tolerance = 1e-7;  // stop once an iteration lowers the stress by less than this share
};

// `distances` is a matrix of count rows: [i * count + j] is the distance from i to j. It need not
// be symmetric: each direction pulls by itself. Values that are not finite are unknown; the
// diagonal is ignored. Things that are not connected by known distances are placed about the mean
// distance apart. The result is centred, wider than high where the start allows, and the same for
// the same seed. Time O(count^3) once and O(count^2) for each iteration. Throws Error(BadInput) if
// the matrix is not square or a distance is negative.
std::vector<Point> stress_layout(std::span<const double> distances, std::size_t count,
                                 const LayoutOptions& options = {});

// The stress of these places, divided by the number of known distances: 0 fits exactly, and the
// square root is about the mean relative error.
double mean_stress(std::span<const double> distances, std::span<const Point> places);

}  // namespace webstrata::report
