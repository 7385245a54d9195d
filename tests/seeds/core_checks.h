// SPDX-License-Identifier: Apache-2.0

// An independent check of cores: plain sets of links, without the code that found them.

#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "webstrata/seeds/bipartite_core.h"

namespace webstrata {

// Empty if every core is complete bipartite on the links of `graph` and no two share a node.
inline std::string why_not_complete_and_apart(const Snapshot& graph,
                                              const std::vector<BipartiteCore>& cores) {
  std::set<std::pair<Node, Node>> links;
  for (Node node = 0; node < graph.node_count(); ++node) {
    for (const Node target : graph.successors(node)) links.emplace(node, target);
  }
  std::set<Node> seen;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const std::string name = "core " + std::to_string(i);
    std::set<Node> members(cores[i].hubs.begin(), cores[i].hubs.end());
    members.insert(cores[i].authorities.begin(), cores[i].authorities.end());
    if (cores[i].hubs.empty() || cores[i].authorities.empty()) return name + " lacks a side";
    if (members.size() != cores[i].hubs.size() + cores[i].authorities.size()) {
      return name + " has a member twice";
    }
    for (const Node hub : cores[i].hubs) {
      for (const Node authority : cores[i].authorities) {
        if (!links.contains({hub, authority})) return name + " lacks a link";
      }
    }
    for (const Node member : members) {
      if (!seen.insert(member).second) return name + " overlaps an earlier one";
    }
  }
  return {};
}

}  // namespace webstrata
