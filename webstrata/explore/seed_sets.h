// SPDX-License-Identifier: Apache-2.0

// Pages from which simulated crawls begin, drawn by score as the paper does.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/base/ids.h"

namespace webstrata {

struct SeedSetOptions {
  std::uint64_t sets = 20;
  // Pages per set. 0: 50, or a quarter of the eligible pages if that is less.
  std::uint64_t size = 0;
  // Only pages that score more than this: 0 means all that do not score 0; 1.5 means two words or
  // more.
  double score_above = 0;
  std::uint64_t seed = 1;
};

// Each set without repetition, ascending, independent of the others; set i is the same whatever the
// number of sets. Throws Error(BadInput) if there are not enough pages.
std::vector<std::vector<Node>> draw_seed_sets(std::span<const double> node_scores,
                                              const SeedSetOptions& options = {});

}  // namespace webstrata
