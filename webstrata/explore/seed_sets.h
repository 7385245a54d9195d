// Pages from which simulated crawls begin, drawn by score as the paper does.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/base/ids.h"

namespace webstrata {

struct SeedSetOptions {
  std::uint64_t sets = 20;
  // Pages in each. 0: 50, or a quarter of the pages there are if that is less.
  std::uint64_t size = 0;
  // Only pages that score more than that: 0 for any that is not 0; 1.5 means two words or more.
  double score_above = 0;
  std::uint64_t seed = 1;
};

// Each set without repetition, ascending, independent of the others; set i is the same however many
// are drawn. Throws Error(BadInput) if there are not enough pages.
std::vector<std::vector<Node>> draw_seed_sets(std::span<const double> node_scores,
                                              const SeedSetOptions& options = {});

}  // namespace webstrata
