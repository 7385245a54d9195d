// SPDX-License-Identifier: Apache-2.0

// Groups of pages by their URLs, numbered in order of appearance: features for estimators.
//
//   UrlGrouping grouping;
//   grouping.groups_of("http://a.example/x/one-page.html", groups);   // kUrlGroupLevels numbers
//
// Levels: host; directory on the host; first and last word of the file name, on any host. A page
// without one (a name of a single word has no last word) is in no group of that level.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

#include "webstrata/explore/known_graph.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

inline constexpr std::size_t kUrlGroupLevels = 4;

class UrlGrouping {
 public:
  // Names that are not web URLs count as file names without a host.
  void groups_of(std::string_view url, std::span<Group> groups);

 private:
  Group number(std::size_t level, std::string_view a, std::string_view b);

  std::unordered_map<std::uint64_t, Group> numbers_;  // by checksum of level and text
  Group group_counts_[kUrlGroupLevels] = {};
};

// Of all nodes, level by level for each; empty if the graph has no names.
std::vector<Group> url_groups_of(const Snapshot& graph);

}  // namespace webstrata
