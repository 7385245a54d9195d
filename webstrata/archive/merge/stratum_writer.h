// SPDX-License-Identifier: Apache-2.0

// Writes the new facts of an update as a stratum, at a cost that follows what is new.
//
//   NewFacts fresh = find_new_facts(request);         // what the strata below do not have
//   if (fresh.is_changed) merge_strata({… .fresh = &fresh});  // alone, or with strata below it
//
// Known facts are left out, so that the strata of a stack say disjoint things
// (gather/page_delta.h), and an update that brings nothing new writes nothing. Of the strata below,
// only the pages are read that the update has facts about.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/gather/run.h"
#include "webstrata/archive/read/cached_stack.h"
#include "webstrata/archive/read/stack_numbers.h"
#include "webstrata/base/work.h"

namespace webstrata {

struct NewFactsRequest {
  std::filesystem::path scratch;  // an existing folder for scratch files
  ArchiveOptions options;
  const CachedStack* below = nullptr;
  ArchiveCounts counts_below;
  std::vector<RunFiles> runs;
  std::size_t memory_bytes = std::size_t{1} << 30;
  WorkOptions work = {};
};

struct NewFacts {
  bool is_changed = false;  // false: nothing was new, and only `given` and `uids` are set
  RunFiles given;           // the runs of the request as one
  RunFiles facts;           // its pages without what is known; rows of revisits are included
  StratumPlaces places;     // of the keys of `facts`
  std::uint64_t size = 0;   // as size_of() counts
  ArchiveCounts counts;     // of the stack with the new facts, as one build would count
  // Stratum 0: the uids that the nodes of the strata below get.
  std::optional<StackNumbers> uids;
};

NewFacts find_new_facts(const NewFactsRequest& request);

// What a stratum costs to write, roughly.
std::uint64_t size_of(const ArchiveCounts& counts);

// Merges strata that lie on each other, from the lowest to the highest, none of them a base, and
// new facts into one stratum with the same facts. `places` are those of the strata; those of the
// result refer to the same strata below.
struct StrataMergeRequest {
  std::filesystem::path folder;   // the files of the stratum go here; it is made if needed
  std::filesystem::path scratch;  // an existing folder for scratch files
  ArchiveOptions options;
  std::vector<const GenerationReader*> strata;
  std::vector<StratumPlaces> places;
  const NewFacts* fresh = nullptr;  // on top of the strata; null: there are none
  std::uint64_t keys_below = 0;     // of the strata below the lowest
  std::size_t memory_bytes = std::size_t{1} << 30;
  WorkOptions work = {};
};
Stratum merge_strata(const StrataMergeRequest& request);

}  // namespace webstrata
