// SPDX-License-Identifier: Apache-2.0

// Writes the new facts of an update as a stratum of their own, at a cost that follows what is new.
//
// Known facts are left out, so that the strata of a stack say disjoint things
// (gather/page_delta.h), and an update that brings nothing new writes nothing. Of the strata below,
// only the pages are read that the update has facts about.

#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/gather/run.h"
#include "webstrata/archive/read/cached_stack.h"
#include "webstrata/base/work.h"

namespace webstrata {

struct StratumRequest {
  std::filesystem::path folder;   // the files of the stratum go here; it is made if needed
  std::filesystem::path scratch;  // an existing folder for scratch files
  ArchiveOptions options;
  const CachedStack* below = nullptr;
  ArchiveCounts counts_below;
  std::vector<RunFiles> runs;
  std::size_t memory_bytes = std::size_t{1} << 30;
  WorkOptions work = {};
};

struct StratumResult {
  bool is_changed = false;  // false: nothing was new, and nothing was written
  Stratum stratum;
  ArchiveCounts counts;  // of the whole stack, as one build would count
};

StratumResult write_stratum(const StratumRequest& request);

// Merges strata that lie on each other, from the lowest to the highest, none of them a base, into
// one with the same facts. `places` are theirs; those of the result refer to the same strata below.
struct StrataMergeRequest {
  std::filesystem::path folder;
  std::filesystem::path scratch;
  ArchiveOptions options;
  std::vector<const GenerationReader*> strata;
  std::vector<StratumPlaces> places;
  std::uint64_t keys_below = 0;  // of the strata below the lowest
  std::size_t memory_bytes = std::size_t{1} << 30;
  WorkOptions work = {};
};
Stratum merge_strata(const StrataMergeRequest& request);

}  // namespace webstrata
