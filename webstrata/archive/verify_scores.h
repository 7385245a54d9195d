// SPDX-License-Identifier: Apache-2.0

// Checks that columns of link scores are consistent with the layers.

#pragma once

#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/read/generation_reader.h"
#include "webstrata/archive/verify_blocks.h"

namespace webstrata {

// Adds to `notes` the rows whose links, or whose capture times, the layers do not have. Files that
// differ from what MANIFEST lists are left to the check of files.
void verify_link_scores(const GenerationReader& generation, const Manifest& manifest,
                        VerifyNotes& notes);

}  // namespace webstrata
