// SPDX-License-Identifier: Apache-2.0

// The same graph at a coarser level: pages joined to hosts, domains, or any other groups.
//
//   const Folding hosts = at_level(pages, Level::Host);
//   hosts.graph.name(0);        // "example.org"
//   hosts.node_of[page];        // the host that a page belongs to
//
// Groups are numbered in the bytewise order of their keys, so the result does not depend on the
// number of threads. The link column `count` has the number of page links of a folded link.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/graph/snapshot.h"
#include "webstrata/url/dialect.h"
#include "webstrata/url/host.h"

namespace webstrata {

enum class Level : std::uint8_t { Page, Host, Domain };
std::string_view to_string(Level level) noexcept;
std::optional<Level> parse_level(std::string_view name) noexcept;

struct FoldOptions {
  bool keep_links_inside = false;  // links of a group to itself
  bool count_links = true;         // fill the column `count`
  WorkOptions work = {};
};

inline constexpr Node kNoNode = 0xffffffff;

struct Folding {
  Snapshot graph;
  std::vector<Node> node_of;  // for each node of the original graph; kNoNode if it was left out
};

// Joins the nodes of equal keys; the key is the name of the group. A node with an empty key is left
// out together with its links. `key` is called from several threads, once for each node.
Folding folded(const Snapshot& graph, const std::function<std::string(Node)>& key,
               const FoldOptions& options = {});

// Pages joined by host ("www.example.org") or registered domain ("example.org"; a host without one,
// such as an address, is a group of its own), numbered in the order of reversed names. Nodes whose
// name is not a web URL are left out. At Level::Page nothing is joined and nothing left out. Throws
// Error(BadInput) if the graph has no names.
Folding at_level(const Snapshot& graph, Level level, const FoldOptions& options = {},
                 Suffixes suffixes = Suffixes::IcannAndPrivate);

// Pages joined if `dialect` treats them as the same URL. A group has the name of its first node,
// and is found by the names of all its nodes. Throws Error(BadInput) if the graph has no names.
Folding folded_by(const Snapshot& graph, Dialect dialect, const FoldOptions& options = {});

// All nodes, but only links between different hosts. Columns of nodes stay, and those of links
// keep the values of the links that are left. Throws Error(BadInput) without names.
Snapshot without_links_inside_hosts(const Snapshot& graph, const WorkOptions& work = {});

}  // namespace webstrata
