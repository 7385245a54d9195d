// SPDX-License-Identifier: Apache-2.0

// Pages are the nodes of the scope, in order; links between them are renumbered into a graph of
// their own, and columns are copied for them. PageRank, hosts, directories and origins are computed
// once here, because several planners need them.
// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/population.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "webstrata/base/error.h"
#include "webstrata/graph/levels.h"
#include "webstrata/graph/pages.h"
#include "webstrata/rank/pagerank.h"

namespace webstrata {
namespace {

// Names of some of the nodes of another graph.
class SomeNames : public NodeNames {
 public:
  SomeNames(std::shared_ptr<const NodeNames> all, std::vector<Node> nodes)
      : all_(std::move(all)), nodes_(std::move(nodes)) {}
  [[nodiscard]] std::string name(Node node) const override { return all_->name(nodes_[node]); }
  [[nodiscard]] std::optional<Node> find(std::string_view name) const override {
    const auto found = all_->find(name);
    if (!found) return std::nullopt;
    const auto place = std::ranges::lower_bound(nodes_, *found);
    if (place == nodes_.end() || *place != *found) return std::nullopt;
    return static_cast<Node>(place - nodes_.begin());
  }

 private:
  std::shared_ptr<const NodeNames> all_;
  std::vector<Node> nodes_;
};

std::vector<Node> nodes_in(const Snapshot& graph, Scope scope) {
  if (scope == Scope::Captured) return pages_of(graph);
  std::vector<Node> nodes(graph.node_count());
  std::iota(nodes.begin(), nodes.end(), Node{0});
  return nodes;
}

template <typename Value>
Column<Value> some_of(const Column<Value>& column, const std::vector<Node>& nodes) {
  if (column.empty()) return {};
  Column<Value> some(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (const auto value = column[nodes[i]]) some.set(i, *value);
  }
  return some;
}

NodeColumns some_of(const NodeColumns& all, const std::vector<Node>& nodes) {
  NodeColumns some;
  some.outcome = some_of(all.outcome, nodes);
  some.first_capture = some_of(all.first_capture, nodes);
  some.last_capture = some_of(all.last_capture, nodes);
  some.captures = some_of(all.captures, nodes);
  some.changes_seen = some_of(all.changes_seen, nodes);
  some.span = some_of(all.span, nodes);
  some.digest = some_of(all.digest, nodes);
  some.text_digest = some_of(all.text_digest, nodes);
  some.length = some_of(all.length, nodes);
  some.title = some_of(all.title, nodes);
  for (const auto& [name, column] : all.scores) some.scores[name] = some_of(column, nodes);
  return some;
}

Snapshot in_both_directions(const Snapshot& graph) {
  SnapshotBuilder builder(graph.node_count());
  std::vector<Node> both;
  for (Node node = 0; node < graph.node_count(); ++node) {
    both.clear();
    std::ranges::set_union(graph.successors(node), graph.predecessors(node),
                           std::back_inserter(both));
    builder.add(node, both);
  }
  return builder.finish();
}

// The links among pages.origin, and for each page how many of its links lead elsewhere.
Snapshot links_inside(const Snapshot& graph, Population& pages) {
  std::vector<Node> page_of(graph.node_count(), kNoNode);
  for (Node page = 0; page < pages.origin.size(); ++page) page_of[pages.origin[page]] = page;
  pages.dangling = Column<double>(pages.origin.size());
  SnapshotBuilder builder(pages.origin.size());
  std::vector<Node> targets;
  for (Node page = 0; page < pages.origin.size(); ++page) {
    targets.clear();
    const auto successors = graph.successors(pages.origin[page]);
    for (const Node target : successors) {
      const Node found = page_of[target];
      if (found != kNoNode && found != page) targets.push_back(found);
    }
    builder.add(page, targets);
    if (successors.empty()) continue;
    const auto dangling =
        std::ranges::count(successors, kNoNode, [&](Node n) { return page_of[n]; });
    pages.dangling.set(page,
                       static_cast<double>(dangling) / static_cast<double>(successors.size()));
  }
  return builder.finish();
}

}  // namespace

std::optional<Node> Population::page_of(Node node) const {
  const auto place = std::ranges::lower_bound(origin, node);
  if (place == origin.end() || *place != node) return std::nullopt;
  return static_cast<Node>(place - origin.begin());
}

Population population_of(const Snapshot& graph, const PopulationOptions& options) {
  Population pages;
  pages.origin = nodes_in(graph, options.scope);
  if (pages.origin.empty()) {
    throw Error(ErrorKind::BadInput, "the graph has no pages: nothing can be alive");
  }
  pages.graph = links_inside(graph, pages);
  options.work.check_cancelled();
  if (options.undirected) pages.graph = in_both_directions(pages.graph);
  pages.graph = pages.graph.with_node_columns(some_of(graph.node_columns(), pages.origin));
  if (graph.has_names()) {
    pages.graph = pages.graph.with_names(std::make_shared<SomeNames>(graph.names(), pages.origin));
  }
  pages.graph.prepare_predecessors(options.work);
  pages.levels = url_levels(pages.graph, &pages.origins);
  pages.pagerank =
      pagerank(pages.graph,
               {.damping = options.damping, .dead_ends = DeadEnds::Drop, .work = options.work})
          .scores;
  return pages;
}

UrlLevel sites_of(const Population& pages, std::optional<std::uint32_t> directories) {
  if (pages.levels.empty()) {
    UrlLevel alone{"page", std::vector<std::uint32_t>(pages.size()),
                   std::vector<std::uint32_t>(pages.size(), 1)};
    std::iota(alone.group_of.begin(), alone.group_of.end(), 0U);
    return alone;
  }
  if (directories) return url_directories(pages.graph, *directories);
  const std::size_t most =
      pages.levels[static_cast<std::size_t>(UrlLevelKind::Directory)].sizes.size();
  for (std::uint32_t depth = 0;; ++depth) {
    UrlLevel sites = url_directories(pages.graph, depth);
    const bool one_rules = 2 * std::uint64_t{std::ranges::max(sites.sizes)} >= pages.size();
    if (!one_rules || sites.sizes.size() == most) return sites;
  }
}

}  // namespace webstrata
