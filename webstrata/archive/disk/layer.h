// SPDX-License-Identifier: Apache-2.0

// The layers of an archive, all in one table, and the summary of each of their blocks.
//
// An archive has every layer that is not optional, and those optional ones that it was built with.
// What enumerates layers does it through this table: MANIFEST, opening, verify, info, the schemas
// of Arrow and Spark, the flags of build. CONTRIBUTING.md says how to add one.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/base/time.h"
#include "webstrata/codec/layer_row.h"

namespace webstrata {

struct ArchiveCounts;

// The numbers are those in the headers of files. Optional layers have the numbers that follow, and
// no name here: what works on them finds them through the table.
enum class Layer : std::uint8_t {
  Names,       // the keys, in order
  Links,       // OL: the union of a page's targets over all captures
  Times,       // TS: when it was captured
  Presence,    // BV: which targets each capture had
  Kinds,       // of what kinds, and how often
  Sightings,   // every dated status, with all its fields
  InLinks,     // IL: the union of the pages that ever linked here
  Ranges,      // TR: the time ranges in which some page linked here
  InPresence,  // IBV: which pages linked here in each range
};

// A column of a table, with its type in Arrow's words: "int64", "list<list<int32>>".
struct LayerColumn {
  std::string_view name;
  std::string_view type;
};

struct LayerEntry {
  Layer layer = Layer::Names;
  std::string_view name = {};  // "in_links"; the stem of its files
  // The columns of the layer as a table. Those of an optional layer after the first, which is
  // `uid`, are "list<int64>" or "list<string>", in the order of LayerRow.
  std::span<const LayerColumn> columns = {};
  // Its columns in the table of documents, which has all layers side by side.
  std::span<const LayerColumn> document_columns = {};
  // What `info` divides its bytes by, besides link facts; none if empty.
  std::string_view unit = {};  // "link"
  std::uint64_t ArchiveCounts::*unit_count = nullptr;
  // Its content is part of the digest of facts. The other layers follow from these.
  bool holds_facts = false;
  // Decodes a chunk by itself, whose first node is `first`. Throws Error(Corrupt).
  void (*check_chunk)(std::string_view bytes, Uid first) = nullptr;

  // The following are for optional layers only. The others are encoded in groups
  // (archive/merge/row_layers_writer.h, node_layers_writer.h).
  bool is_optional = false;
  std::string_view help = {};  // of the flag --<name> of build
  // A chunk from its nodes, and back. `decode` throws Error(Corrupt).
  std::string (*encode)(std::span<const LayerRow> nodes) = nullptr;
  std::vector<LayerRow> (*decode)(std::string_view bytes) = nullptr;
};

// In the order of their numbers.
std::span<const LayerEntry> layer_table() noexcept;
const LayerEntry& entry_of(Layer layer) noexcept;
std::optional<Layer> layer_named(std::string_view name) noexcept;
std::string_view to_string(Layer layer) noexcept;  // its name
Layer texts_layer() noexcept;                      // the optional layer of the texts of links

enum class Direction : std::uint8_t { Out, In };

// The layers of one direction: links, times, presence and, of pages only, kinds. They are cut into
// chunks at the same nodes.
inline constexpr std::array kOutRowLayers = {Layer::Links, Layer::Times, Layer::Presence,
                                             Layer::Kinds};
inline constexpr std::array kInRowLayers = {Layer::InLinks, Layer::Ranges, Layer::InPresence};
std::span<const Layer> row_layers(Direction direction) noexcept;

// What is known about a block without decoding it.
struct BlockSummary {
  std::uint64_t nodes = 0;   // in this block
  std::uint64_t filled = 0;  // nodes that have data in this layer
  std::uint64_t items = 0;   // keys, links, rows, ones, ones, sightings, links, rows, ones
  Time first = 0;            // earliest and latest time in it (times, sightings); else 0
  Time last = 0;
  std::uint64_t content = 0;  // digest of its decoded content, whatever the encoder

  friend bool operator==(const BlockSummary&, const BlockSummary&) = default;
};

// A file of a generation as MANIFEST lists it.
struct LayerFile {
  std::string name;  // "links.00000"
  std::uint64_t size = 0;
  // Of a part of a layer: the checksum in its footer. That covers header and table, and the table
  // holds a checksum of every block, so it covers every byte, costs nothing to carry over when a
  // part is linked, and shows at opening that this is the right file. For other files XXH3-64 of
  // the bytes.
  std::uint64_t checksum = 0;

  friend bool operator==(const LayerFile&, const LayerFile&) = default;
};
// "links.00002": part number 2.
std::string part_name(Layer layer, std::uint64_t part);

}  // namespace webstrata
