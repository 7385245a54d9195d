// SPDX-License-Identifier: Apache-2.0

// A graph of an archive with the times at which each link was seen, for tools that animate time.

#pragma once

#include <functional>

#include "webstrata/graph/archive_snapshot.h"
#include "webstrata/graph/network_writer.h"

namespace webstrata {

// Writes the graph of `request`, source by source. A spell of a link goes from one capture of its
// page to a later one, with no capture in between that lacked it; links of joined pages have the
// union of their spells. Only captures that the request's time covers count: up to the moment of
// `at`, inside `during`. A link that no such capture shows (it was carried over, or is known only
// from an index line) has the time at which it was seen. Nodes exist from the first to the last
// time that they were captured or at an end of such a link.
// Scores that the writer wants and the archive does not have are added by `scored`.
using AddScores = std::function<Snapshot(const Snapshot& graph)>;
void write_dated_network(const Archive& archive, const SnapshotRequest& request,
                         NetworkWriter& writer, const AddScores& scored = {});

}  // namespace webstrata
