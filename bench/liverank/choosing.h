// SPDX-License-Identifier: Apache-2.0

// The numbers inside LORE, `auto` and PB (webstrata/liverank/lore_parameters.h), varied one at a
// time.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/liverank/pairs.h"

namespace webstrata {

struct ChoosingOptions {
  PairFolders folders;
  std::vector<std::string> pairs;
  std::vector<std::string> numbers;  // names, such as lore.prior; empty: all
  std::string journal;               // a folder that keeps every run; empty: none are kept
  std::uint32_t seeds = 20;
  double minutes = 0;  // 0: no limit; else no new value is begun after it
};

// Prints a table for each number: the mean area of the cost curve on every pair for each value of a
// small grid, the one in use marked. Throws Error(BadInput) for an unknown name.
void measure_choices(const ChoosingOptions& options);

}  // namespace webstrata
