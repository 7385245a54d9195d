// SPDX-License-Identifier: Apache-2.0

// What an archive knows about a URL, as the captures and sightings that a reader would give:
// importing them makes the same archive.

#pragma once

#include <functional>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {

// Calls `visit` with every sighting of `uid` in the archive's order, with links where it is a
// capture. Captures of one second all have the links of that second. A revisit has no links of its
// own: its row is derived. Its argument lives until `visit` returns.
void visit_captures(const Archive& archive, Uid uid,
                    const std::function<void(const Capture&)>& visit);

}  // namespace webstrata
