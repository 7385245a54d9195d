// SPDX-License-Identifier: Apache-2.0

// The layers of an archive, and the summary of each of their blocks.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "webstrata/base/time.h"

namespace webstrata {

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
inline constexpr std::array kLayers = {Layer::Names,    Layer::Links,  Layer::Times,
                                       Layer::Presence, Layer::Kinds,  Layer::Sightings,
                                       Layer::InLinks,  Layer::Ranges, Layer::InPresence};
std::string_view to_string(Layer layer) noexcept;  // "in_links"; the stem of its files

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
