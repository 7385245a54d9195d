// SPDX-License-Identifier: Apache-2.0

// Graphs with time for visualisation: GraphML and GEXF, as Gephi and others open them.
//
//   const auto writer = open_gexf("links.gexf");
//   writer->node({.node = 0, .label = "http://a.org/", .spells = {}});
//   writer->link({.source = 0, .target = 1, .count = 3, .spells = {{{first, last}}}});
//   writer->finish();
//
// First all nodes, then all links, in any order. Whatever bytes a label contains, the file is valid
// XML: characters that XML forbids become U+FFFD. A spell is a closed interval; there is none where
// times are not known.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "webstrata/base/time.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

struct DatedNode {
  Node node = 0;
  std::string_view label = {};
  std::span<const TimeInterval> spells = {};  // when it existed, ascending
};

struct DatedLink {
  Node source = 0;
  Node target = 0;
  std::optional<std::uint64_t> count = {};    // how often, or the number of page links joined
  std::span<const TimeInterval> spells = {};  // when it was seen, ascending
};

class NetworkWriter {
 public:
  virtual ~NetworkWriter() = default;
  virtual void node(const DatedNode& node) = 0;
  virtual void link(const DatedLink& link) = 0;
  // Puts the file in place; without this call no file is left.
  virtual void finish() = 0;
};

// GraphML with the keys that the Archives Unleashed Toolkit writes: `label`, `weight` and
// `crawlDate` (YYYYMMDD, first seen), and also `lastSeen`.
std::unique_ptr<NetworkWriter> open_graphml(const std::filesystem::path& path);

// GEXF 1.3, dynamic, with days as time: `start` and `end` for one spell, `spells` for more. Spells
// that touch the same day or neighbouring days are one.
std::unique_ptr<NetworkWriter> open_gexf(const std::filesystem::path& path);

// All of a snapshot. Spells are the columns first and last capture, first and last seen; counts are
// the column `count`.
void write_network(const Snapshot& graph, NetworkWriter& writer, const WorkOptions& work = {});

}  // namespace webstrata
