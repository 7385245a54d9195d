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
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webstrata/base/time.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

struct DatedNode {
  Node node = 0;
  std::string_view label = {};
  std::span<const TimeInterval> spells = {};  // when it existed, ascending
  std::optional<std::uint32_t> captures = {};
  std::span<const std::optional<double>> scores = {};  // in the order of the writer's
};

// A column of scores of nodes.
struct NetworkScore {
  std::string name;   // "pagerank"
  std::string about;  // where it comes from, for people
};

struct DatedLink {
  Node source = 0;
  Node target = 0;
  std::optional<std::uint64_t> count = {};    // how often, or the number of page links joined
  std::span<const TimeInterval> spells = {};  // when it was seen, ascending
};

class NetworkWriter {
 public:
  explicit NetworkWriter(std::vector<NetworkScore> scores = {}) : scores_(std::move(scores)) {}
  virtual ~NetworkWriter() = default;
  [[nodiscard]] const std::vector<NetworkScore>& scores() const noexcept { return scores_; }
  virtual void node(const DatedNode& node) = 0;
  virtual void link(const DatedLink& link) = 0;
  // Puts the file in place; without this call no file is left.
  virtual void finish() = 0;

 private:
  std::vector<NetworkScore> scores_;
};

// GraphML with the keys that the Archives Unleashed Toolkit writes: `label`, `weight` and
// `crawlDate` (YYYYMMDD, first seen), and also `lastSeen`. Nodes have `firstSeen`, `lastSeen`,
// `captures` and their scores.
std::unique_ptr<NetworkWriter> open_graphml(const std::filesystem::path& path,
                                            std::vector<NetworkScore> scores = {});

// GEXF 1.3, dynamic, with days as time: `start` and `end` for one spell, `spells` for more. Spells
// that touch the same day or neighbouring days are one. Nodes have the attributes of GraphML.
std::unique_ptr<NetworkWriter> open_gexf(const std::filesystem::path& path,
                                         std::vector<NetworkScore> scores = {});

// When each node was captured, or seen at either end of a link, by the columns of the graph. A tool
// that animates time shows no link while one of its ends is missing.
std::vector<std::optional<TimeInterval>> node_times(const Snapshot& graph);
// The scores of a node that the writer wants; those that the graph lacks are empty.
std::vector<std::optional<double>> scores_of(const Snapshot& graph, Node node,
                                             const NetworkWriter& writer);

// All of a snapshot. Spells are node_times(), and first and last seen; counts are the column
// `count`.
void write_network(const Snapshot& graph, NetworkWriter& writer, const WorkOptions& work = {});

}  // namespace webstrata
