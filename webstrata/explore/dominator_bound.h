// SPDX-License-Identifier: Apache-2.0

// A bound on what a crawl can find: no page is crawled before the pages that every path to it
// passes. Internal to the room.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace webstrata {

// The most that `budget` pages can be worth if each of them comes with all its dominators: the
// pages that every path from the seeds to it passes. Exact where every page has one path, such as
// in a tree; elsewhere no crawl is worth more. `is_first` says which pages a seed links to; all
// pages must be reachable from these along `targets`. Scores must not be negative.
//
// Time O(pages * budget) at worst; infinity if that is more than `work_max`.
double dominator_bound(std::span<const double> scores, const std::vector<bool>& is_first,
                       std::span<const std::vector<std::uint32_t>> targets, std::uint64_t budget,
                       double work_max = 2e9);

}  // namespace webstrata
