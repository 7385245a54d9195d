// SPDX-License-Identifier: Apache-2.0

// Graphs for tests: drawn by a seed, with the structure of the web (neighbours, copied lists,
// hubs), and a slow reference made of plain sets.

#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "webstrata/base/random.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

using LinkList = std::vector<std::pair<Node, Node>>;

// The links of `graph`, one by one.
inline LinkList links_of(const Snapshot& graph) {
  LinkList links;
  for (Node node = 0; node < graph.node_count(); ++node) {
    for (const Node target : graph.successors(node)) links.emplace_back(node, target);
  }
  return links;
}

inline LinkList random_links(Random& random, Node node_count, std::size_t degree_max) {
  std::set<std::pair<Node, Node>> links;
  std::vector<Node> last;
  for (Node node = 0; node < node_count; ++node) {
    std::set<Node> targets;
    if (random.chance(0.5)) {  // as on a site: most of the previous page's targets
      for (const Node target : last) {
        if (random.chance(0.8)) targets.insert(target);
      }
    }
    const std::size_t wanted = random.chance(0.2) ? 0 : random.below(degree_max + 1);
    while (targets.size() < std::min<std::size_t>(wanted, node_count)) {
      const auto target = static_cast<Node>(random.below(node_count));
      const auto run = random.chance(0.2) ? random.below(8) : 1;
      for (Node i = 0; i < run && target + i < node_count; ++i) targets.insert(target + i);
    }
    for (const Node target : targets) links.emplace(node, target);
    last.assign(targets.begin(), targets.end());
  }
  return {links.begin(), links.end()};
}

inline Snapshot random_graph(Random& random, Node node_count, std::size_t degree_max = 12) {
  return Snapshot::from_links(node_count, random_links(random, node_count, degree_max));
}

}  // namespace webstrata
