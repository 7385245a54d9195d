// SPDX-License-Identifier: Apache-2.0

// Columns are joined after the links: the place of a folded link is found by a binary search, and
// each task writes only the links of its own range of groups.
//
// Tested by tests/graph/graph_view_test.cpp and tests/graph/archive_snapshot_test.cpp.

#include "webstrata/graph/graph_view.h"

#include <algorithm>
#include <numeric>

#include "webstrata/base/threads.h"

namespace webstrata {
namespace {

template <typename Value, typename Join>
void join_value(Column<Value>& column, std::size_t position, std::optional<Value> more, Join join) {
  if (!more) return;
  const auto before = column[position];
  column.set(position, before ? join(*before, *more) : *more);
}

constexpr auto kEarliest = [](Time a, Time b) { return std::min(a, b); };
constexpr auto kLatest = [](Time a, Time b) { return std::max(a, b); };
constexpr auto kUnion = [](LinkKinds a, LinkKinds b) { return a | b; };
// Saturates at the largest number.
constexpr auto kSum = [](auto a, decltype(a) b) {
  decltype(a) sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<decltype(a)>::max() : sum;
};

template <typename Value>
Column<Value> empty_like(const Column<Value>& column, std::size_t size) {
  return column.empty() ? Column<Value>() : Column<Value>(size);
}

NodeColumns joined_node_columns(const NodeColumns& pages, const Folding& folding) {
  const std::size_t size = folding.graph.node_count();
  NodeColumns joined;
  joined.first_capture = empty_like(pages.first_capture, size);
  joined.last_capture = empty_like(pages.last_capture, size);
  joined.captures = empty_like(pages.captures, size);
  joined.changes_seen = empty_like(pages.changes_seen, size);
  joined.span = empty_like(pages.span, size);
  for (std::size_t page = 0; page < folding.node_of.size(); ++page) {
    const Node node = folding.node_of[page];
    if (node == kNoNode) continue;
    join_value(joined.first_capture, node, pages.first_capture[page], kEarliest);
    join_value(joined.last_capture, node, pages.last_capture[page], kLatest);
    join_value(joined.captures, node, pages.captures[page], kSum);
    join_value(joined.changes_seen, node, pages.changes_seen[page], kSum);
    join_value(joined.span, node, pages.span[page], kSum);
  }
  return joined;
}

struct NodeRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

// Of the links that leave from groups of the range.
void join_link_columns(const Snapshot& pages, const Folding& folding, NodeRange groups,
                       LinkColumns& joined) {
  const LinkColumns& columns = pages.link_columns();
  for (Node page = 0; page < pages.node_count(); ++page) {
    const Node source = folding.node_of[page];
    if (source < groups.first || source >= groups.end) continue;
    std::uint64_t link = pages.first_link(page);
    for (const Node target_page : pages.successors(page)) {
      const std::uint64_t place = link++;
      const Node target = folding.node_of[target_page];
      if (target == kNoNode) continue;
      const auto position = folding.graph.find_link(source, target);
      if (!position) continue;  // inside a group, and left out
      join_value(joined.kinds, *position, columns.kinds[place], kUnion);
      join_value(joined.first_seen, *position, columns.first_seen[place], kEarliest);
      join_value(joined.last_seen, *position, columns.last_seen[place], kLatest);
    }
  }
}

LinkColumns joined_link_columns(const Snapshot& pages, const Folding& folding,
                                const WorkOptions& work) {
  const LinkColumns& columns = pages.link_columns();
  const std::size_t size = folding.graph.link_count();
  LinkColumns joined;
  joined.count = folding.graph.link_columns().count;
  joined.kinds = empty_like(columns.kinds, size);
  joined.first_seen = empty_like(columns.first_seen, size);
  joined.last_seen = empty_like(columns.last_seen, size);
  if (joined.kinds.empty() && joined.first_seen.empty() && joined.last_seen.empty()) return joined;
  const std::uint64_t threads = work.threads == 0 ? default_thread_count() : work.threads;
  const std::uint64_t nodes = folding.graph.node_count();
  run_tasks(threads, work, "joining columns", [&](std::size_t task) {
    const NodeRange groups{nodes * task / threads, nodes * (task + 1) / threads};
    join_link_columns(pages, folding, groups, joined);
  });
  return joined;
}

Folding with_columns_of(const Snapshot& pages, Folding folding, const WorkOptions& work) {
  const Snapshot joined =
      folding.graph.with_node_columns(joined_node_columns(pages.node_columns(), folding))
          .with_link_columns(joined_link_columns(pages, folding, work));
  return {joined, std::move(folding.node_of)};
}

// First one step, then the other.
std::vector<Node> chained(const std::vector<Node>& first, const std::vector<Node>& second) {
  std::vector<Node> both(first.size(), kNoNode);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] != kNoNode) both[i] = second[first[i]];
  }
  return both;
}

}  // namespace

Folding viewed(const Snapshot& graph, const GraphView& view, const WorkOptions& work) {
  Folding seen{graph, std::vector<Node>(graph.node_count())};
  std::iota(seen.node_of.begin(), seen.node_of.end(), Node{0});
  if (view.fold && *view.fold != Dialect::Exact) {
    const FoldOptions options{.keep_links_inside = true, .work = work};
    seen = with_columns_of(graph, folded_by(graph, *view.fold, options), work);
  }
  if (view.level != Level::Page) {
    const FoldOptions options{.keep_links_inside = view.inner_links, .work = work};
    Folding level = with_columns_of(seen.graph, at_level(seen.graph, view.level, options), work);
    return {level.graph, chained(seen.node_of, level.node_of)};
  }
  if (!view.inner_links) seen.graph = without_links_inside_hosts(seen.graph, work);
  return seen;
}

}  // namespace webstrata
