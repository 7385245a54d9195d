// SPDX-License-Identifier: Apache-2.0

// How the stack of an archive changes: facts are added on top of it, or all strata are merged.
//
// A generation holds all strata: the files of the base in its folder, those of the others in
// folders of their own inside it. A new generation has hard links to the strata that stay, so that
// leases, deletion and crashes work as for one stratum.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/gather/run.h"
#include "webstrata/archive/merge/merge.h"
#include "webstrata/archive/stack_policy.h"
#include "webstrata/base/work.h"

namespace webstrata {

// What a writer works with.
struct StackResources {
  std::filesystem::path scratch;
  std::size_t memory_bytes = std::size_t{1} << 30;
  WorkOptions work = {};
};

// Whether strata can be put on top of it: not on optional layers, which have facts of their own,
// nor on nothing.
bool may_be_stack(const Manifest& manifest);

MergeRequest merge_request_of(const StackResources& resources, const std::filesystem::path& folder,
                              const ArchiveOptions& options);

struct StackChange {
  Manifest manifest;
  std::uint64_t blocks_copied = 0;  // of pages, without decoding
  // Only of Merging::AboveBase: all strata are due to be merged with this run, which is in the
  // scratch folder, and nothing was written.
  std::optional<RunFiles> left = {};
};

// Writes into `folder`, of a draft, the strata of `before` with the new facts of the runs, as a
// stratum on top or merged with others, and the columns of scores in the new uids. Empty if no fact
// is new; then the runs may have become one, and `folder` is as it was.
std::optional<StackChange> add_facts(const WriterLock& lock, const Manifest& before,
                                     const StackResources& resources,
                                     const std::vector<RunFiles>& runs, Merging merging,
                                     const std::filesystem::path& folder);

// The same strata and columns in `folder`, of a draft, by hard links where possible.
void take_over_stack(const WriterLock& lock, const Manifest& before,
                     const std::filesystem::path& folder);

// Merges all strata into one and publishes it. `before` is a stack.
Manifest compact_stack(const WriterLock& lock, const Manifest& before,
                       const StackResources& resources);

}  // namespace webstrata
