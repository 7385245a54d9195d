// SPDX-License-Identifier: Apache-2.0

// What one block of an archive adds to a graph, in the uids of the archive: for clusters, whose
// tasks read block by block and assemble the graph themselves.
//
//   const BlockLinks part = block_links(archive, {.time = GraphTime::at(time)}, 7);
//
// The blocks together have the links of snapshot_of() with the same request; its nodes are their
// pages and the targets of their links.

#pragma once

#include <cstdint>
#include <vector>

#include "webstrata/graph/archive_snapshot.h"

namespace webstrata {

struct BlockLinks {
  std::vector<Uid> pages;    // nodes of the graph even if nothing links to them; ascending
  std::vector<Uid> living;   // of the block's nodes, if they are in the graph: is_page() of pages.h
  std::vector<Uid> sources;  // of links, ascending
  std::vector<Uid> targets;  // parallel to `sources`
};

// The request's view, columns and scores do not matter. Throws Error(Corrupt).
BlockLinks block_links(const Archive& archive, const SnapshotRequest& request, std::uint64_t block);

}  // namespace webstrata
