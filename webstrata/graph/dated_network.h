// A graph of an archive with the times at which each link was seen, for tools that play time.

#pragma once

#include "webstrata/graph/archive_snapshot.h"
#include "webstrata/graph/network_writer.h"

namespace webstrata {

// Writes the graph of `request`, source by source. A spell of a link goes from one capture of its
// page to a later one, without a capture between them that lacked it; the links of joined pages
// have all their spells, united. Only captures that the request's time covers count: up to the
// moment of `at`, inside `during`. A link that no such capture shows (it was carried over, or only
// an index line tells of it) has the time at which it was seen. Nodes are there from the first to
// the last time that they were captured or at an end of such a link.
void write_dated_network(const Archive& archive, const SnapshotRequest& request,
                         NetworkWriter& writer);

}  // namespace webstrata
