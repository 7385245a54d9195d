// SPDX-License-Identifier: Apache-2.0

// A snapshot has the links; their spells are read from the archive, one source at a time, so that
// no more than the spells of one source are in memory.
//
// Tested by tests/graph/dated_network_test.cpp and tests/cli/export_graph_test.py.

#include "webstrata/graph/dated_network.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace webstrata {
namespace {

using Spells = std::vector<TimeInterval>;

// Ascending, without overlaps.
void unite(Spells& spells) {
  std::ranges::sort(spells, {},
                    [](const TimeInterval& spell) { return std::pair(spell.first, spell.last); });
  std::size_t size = 0;
  for (const TimeInterval& spell : spells) {
    if (size > 0 && spell.first <= spells[size - 1].last) {
      spells[size - 1].last = std::max(spells[size - 1].last, spell.last);
    } else {
      spells[size++] = spell;
    }
  }
  spells.resize(size);
}

// The pages of each node, node by node.
std::vector<Node> by_node(const std::vector<Node>& node_of) {
  std::vector<Node> pages(node_of.size());
  std::iota(pages.begin(), pages.end(), Node{0});
  std::ranges::stable_sort(pages, {}, [&](Node page) { return node_of[page]; });
  return pages;
}

class DatedNetwork {
 public:
  DatedNetwork(const Archive& archive, const SnapshotRequest& request, NetworkWriter& writer,
               const AddScores& scored)
      : archive_(archive),
        request_(request),
        covered_(request.time.covered()),
        writer_(writer),
        pages_(page_graph(archive, request)),
        seen_(viewed(pages_, request.view, request.work)) {
    if (scored) seen_.graph = scored(seen_.graph);
  }

  void write() {
    write_nodes();
    const std::vector<Node> pages = by_node(seen_.node_of);
    auto page = pages.begin();
    for (Node source = 0; source < graph().node_count(); ++source) {
      tell("writing links", source);
      std::map<Node, Spells> spells;
      for (; page != pages.end() && seen_.node_of[*page] == source; ++page) {
        if (graph().out_degree(source) > 0) add_spells(*page, spells);
      }
      write_links(source, spells);
    }
    writer_.finish();
  }

 private:
  static Snapshot page_graph(const Archive& archive, SnapshotRequest request) {
    request.view = {};
    request.node_columns.captures = true;
    request.link_columns.count = true;
    request.link_columns.seen = true;
    return snapshot_of(archive, request);
  }

  [[nodiscard]] const Snapshot& graph() const noexcept { return seen_.graph; }

  void tell(std::string_view phase, Node node) const {
    constexpr Node kNodesBetweenProgress = 1024;
    if (node % kNodesBetweenProgress != 0) return;
    request_.work.check_cancelled();
    if (request_.work.progress) {
      request_.work.progress({phase, node, graph().node_count(), "nodes"});
    }
  }

  void write_nodes() const {
    const auto times = node_times(graph());
    for (Node node = 0; node < graph().node_count(); ++node) {
      tell("writing nodes", node);
      const std::string name = graph().name(node);
      Spells spells;
      if (times[node]) spells.push_back(*times[node]);
      const auto scores = scores_of(graph(), node, writer_);
      writer_.node({.node = node,
                    .label = name,
                    .spells = spells,
                    .captures = graph().node_columns().captures[node],
                    .scores = scores});
    }
  }

  // The target of a page's link in the graph that is written.
  [[nodiscard]] Node node_of(Uid target) const {
    const auto page = pages_.node(target);
    return page ? seen_.node_of[*page] : kNoNode;
  }

  void add_spells(Node page, std::map<Node, Spells>& spells) {
    archive_.page(*pages_.uid(page), facts_);
    sightings_.clear();
    for (std::size_t row = 0; row < facts_.row_count(); ++row) {
      if (facts_.times[row] < covered_.first || facts_.times[row] > covered_.last) continue;
      for (std::size_t i = facts_.row_start(row); i < facts_.row_ends[row]; ++i) {
        const LinkKinds kinds = LinkKinds::from_bits(facts_.values[i].kinds);
        if (request_.kinds != kAllKinds && !kinds.intersects(request_.kinds)) continue;
        sightings_.emplace_back(facts_.targets[i], row);
      }
    }
    std::ranges::sort(sightings_);
    for (std::size_t i = 0; i < sightings_.size(); ++i) {
      const auto [target, row] = sightings_[i];
      const Node node = node_of(target);
      if (node == kNoNode) continue;
      const Time time = facts_.times[row];
      const bool goes_on = i > 0 && row > 0 && sightings_[i - 1] == std::pair(target, row - 1);
      if (goes_on) {
        spells[node].back().last = time;
      } else {
        spells[node].push_back({time, time});
      }
    }
  }

  void write_links(Node source, std::map<Node, Spells>& spells) const {
    const LinkColumns& columns = graph().link_columns();
    std::uint64_t position = graph().first_link(source);
    for (const Node target : graph().successors(source)) {
      Spells& seen = spells[target];
      unite(seen);
      const auto first = columns.first_seen[position];
      const auto last = columns.last_seen[position];
      if (seen.empty() && first && last) seen.push_back({*first, *last});
      writer_.link({source, target, columns.count[position], seen});
      ++position;
    }
  }

  const Archive& archive_;
  const SnapshotRequest& request_;
  TimeInterval covered_;
  NetworkWriter& writer_;
  Snapshot pages_;
  Folding seen_;
  PageFacts facts_;
  std::vector<std::pair<Uid, std::size_t>> sightings_;  // target and row
};

}  // namespace

void write_dated_network(const Archive& archive, const SnapshotRequest& request,
                         NetworkWriter& writer, const AddScores& scored) {
  DatedNetwork(archive, request, writer, scored).write();
}

}  // namespace webstrata
