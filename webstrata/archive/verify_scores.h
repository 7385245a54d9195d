// Whether columns of link scores fit the layers.

#pragma once

#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/read/generation_reader.h"
#include "webstrata/archive/verify_blocks.h"

namespace webstrata {

// Tells `notes` of rows whose links, or the times of whose captures, the layers do not have.
// Files whose bytes are not those that MANIFEST lists are left to the check of files.
void verify_link_scores(const GenerationReader& generation, const Manifest& manifest,
                        VerifyNotes& notes);

}  // namespace webstrata
