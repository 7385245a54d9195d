// SPDX-License-Identifier: Apache-2.0

// Where simulated crawls begin: with the pages of a file, with the choice of a method of `seeds`,
// or with pages drawn by their scores.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "webstrata/explore/seed_sets.h"
#include "webstrata/explore/simulator.h"

namespace webstrata {

struct BeginningWords {
  std::string file;     // one page per line; what follows a tab is ignored
  std::string method;   // of `seeds`
  SeedSetOptions sets;  // used if both are empty; a method takes its size and seed
};

struct CrawlBeginnings {
  std::vector<std::vector<Node>> sets;  // at least one
  std::uint64_t unknown = 0;            // pages of the file that the graph does not have
};

// Throws Error(NotFound); Error(BadInput) if the graph has no page of the file.
CrawlBeginnings crawl_beginnings(const BeginningWords& words, const SimulatedWeb& web,
                                 const WorkOptions& work);

}  // namespace webstrata
