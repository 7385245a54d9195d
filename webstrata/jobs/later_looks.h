// SPDX-License-Identifier: Apache-2.0

// What an archive knows about pages between an old graph and a newer one: asked for again, and with
// which outcome (liverank/truth.h). A graph alone cannot tell a refusal from a page that is gone.

#pragma once

#include "webstrata/archive/ask/archive.h"
#include "webstrata/graph/archive_snapshot.h"
#include "webstrata/liverank/truth.h"

namespace webstrata {

// `time` is that of the newer graph: with an interval, sightings inside it count; at a moment,
// those after the old graph's last capture and up to the moment. The answer shares the archive.
LookAgain look_again_in(const Archive& archive, const GraphTime& time);

}  // namespace webstrata
