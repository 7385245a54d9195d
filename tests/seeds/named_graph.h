// SPDX-License-Identifier: Apache-2.0

// Small graphs with URLs, for tests of seeds.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "webstrata/graph/names.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

using LinkPairs = std::vector<std::pair<Node, Node>>;

// Names as they are, in any order.
inline Snapshot with_names(const Snapshot& graph, const std::vector<std::string>& names) {
  auto list = std::make_shared<NameList>();
  for (const std::string& name : names) list->add(name);
  return graph.with_names(list);
}

// Every node on a host of its own: no link is inside a host.
inline Snapshot graph_of_hosts(Node node_count, LinkPairs links) {
  std::vector<std::string> names;
  for (Node node = 0; node < node_count; ++node) {
    names.push_back("http://h" + std::to_string(node) + ".example/");
  }
  return with_names(Snapshot::from_links(node_count, std::move(links)), names);
}

// All links from each of `hubs` to each of `authorities`.
inline void add_complete(LinkPairs& links, const std::vector<Node>& hubs,
                         const std::vector<Node>& authorities) {
  for (const Node hub : hubs) {
    for (const Node authority : authorities) links.emplace_back(hub, authority);
  }
}

}  // namespace webstrata
