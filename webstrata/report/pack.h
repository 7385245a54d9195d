// SPDX-License-Identifier: Apache-2.0

// Moves the unconnected parts of a drawing closer together.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "webstrata/report/layout.h"

namespace webstrata::report {

// `part_of` has one number per place, from 0 without gaps. The largest part stays; each other one
// keeps its shape and its direction, and comes as near as it can while no place of it is nearer
// than `gap` to any other part. Time O(count²) for each part, times the distance it moves in gaps.
void pack_parts(std::span<const std::size_t> part_of, double gap, std::vector<Point>& places);

}  // namespace webstrata::report
