// SPDX-License-Identifier: Apache-2.0

// Writes a stack of strata without what is forgotten, stratum by stratum.

#pragma once

#include <filesystem>

#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/forget_plan.h"
#include "webstrata/archive/stack_changes.h"

namespace webstrata {

// Into `folder`, of a draft. `generation` is the folder of `before`, which `stack` reads. Strata
// without a name that is meant are linked, and those of which nothing is left are dropped; saved
// scores are carried along. Returns the manifest of what was written.
Manifest write_without(const ForgetPlan& plan, const CachedStack& stack, const Manifest& before,
                       const std::filesystem::path& generation, const StackResources& resources,
                       const std::filesystem::path& folder);

}  // namespace webstrata
