// SPDX-License-Identifier: Apache-2.0

// How the stack of an archive changes: a stratum is put on top of it, or all are merged into one.
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
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/base/work.h"

namespace webstrata {

// What a writer works with.
struct StackResources {
  std::filesystem::path scratch;
  std::size_t memory_bytes = std::size_t{1} << 30;
  WorkOptions work = {};
};

// Whether strata can be put on top of it: not on optional layers, which have facts of their own,
// nor on columns of scores, whose rows would have to move.
bool may_be_stack(const Manifest& manifest);

MergeRequest merge_request_of(const StackResources& resources, const std::filesystem::path& folder,
                              const ArchiveOptions& options);
// The base of the stack is what was before, the others bring facts. `stack` outlives the request.
void add_strata(const StackReader& stack, MergeRequest& request);

// Writes into `folder`, of a draft, the strata of `before` and one with the new facts of the runs.
// Empty if none of them is new. May merge strata, but never with the base.
std::optional<Manifest> add_stratum(const WriterLock& lock, const Manifest& before,
                                    const StackResources& resources,
                                    const std::vector<RunFiles>& runs,
                                    const std::filesystem::path& folder);

// Merges all strata into one and publishes it. `before` is a stack.
Manifest compact_stack(const WriterLock& lock, const Manifest& before,
                       const StackResources& resources);

}  // namespace webstrata
