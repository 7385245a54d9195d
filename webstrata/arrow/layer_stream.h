// SPDX-License-Identifier: Apache-2.0

// The layers of an archive as tables, for other tools: one row for each node, with lists.
//
//   const auto links = layer_stream(archive, Layer::Links, {0, archive.node_count()});
//   while (const auto table = links->next()) ...
//
// The columns are those of the table of layers (archive/disk/layer.cpp). Lists in `targets`,
// `sources`, `times` (seconds since 1970) and `ranges` (their numbers) are those of the node;
// `present` has for each row places in `targets` or `sources`, and `kinds` and `counts` are
// parallel to it. `names` has a row for every node, the others for every node about which they
// hold something.
//
// The layer of sightings is archive_captures() (capture_stream.h).

#pragma once

#include <memory>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/disk/layer.h"
#include "webstrata/arrow/export.h"

namespace webstrata::arrow {

// Throws Error(BadInput) for the layer of sightings and for a layer that the archive does not have;
// next() throws Error(Corrupt).
std::shared_ptr<TableStream> layer_stream(Archive archive, Layer layer, UidRange nodes);

// All layers of a node side by side, in the order of keys, for stores that keep rows by key: `key`,
// `uid`, `url`, `links` (keys of targets), `times`, `presence`, `kinds`, `counts`, `sightings`,
// `in_links` (keys of sources), `ranges`, `in_presence`. A row for every node.
std::shared_ptr<TableStream> document_stream(Archive archive, UidRange nodes);

}  // namespace webstrata::arrow
