// SPDX-License-Identifier: Apache-2.0

// One bipartite core of a graph: hubs that link to authorities, the best of each by HITS.
//
//   const HitsResult ranked = hits(graph);
//   const BipartiteCore core = grow_core(graph, {ranked.hubs, ranked.authorities, {}}, {});
//
// A core begins with the best authority. Then, in turns, the best hub that links to a member and
// the best authority that a member links to join, until the core has its size or until the next
// member would break its cover density 100 * links(hubs, authorities) / (hubs * authorities). A
// node may be hub and authority; a link of a node to itself never counts, so at density 100 it is
// not both.
//
// Daneshpajouh, Mohammadi Nasiri, Ghodsi: A fast community based algorithm for generating web
// crawler seeds set (2008), Figures 1 and 2, as interpreted in docs/METHODS.md.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

// What happens when the next member of one side would break the density.
enum class CoreGrowth : std::uint8_t {
  Either,    // the other side continues as long as it can
  Lockstep,  // the core ends there
};
std::string_view to_string(CoreGrowth growth) noexcept;
std::optional<CoreGrowth> parse_core_growth(std::string_view name) noexcept;

struct CoreOptions {
  double cover_density = 100;          // in (0, 100]; counts if size is 0
  std::uint64_t size = 0;              // hubs and authorities together; 0: by density
  std::uint32_t new_member_count = 1;  // of each side in a turn; for cores of a size and for
                                       // keep_breaking_member
  CoreGrowth growth = CoreGrowth::Either;
  // The paper's loop: a hub and an authority join, then the density is checked. Those who broke it
  // stay, and growth does not matter.
  bool keep_breaking_member = false;
  std::uint64_t hubs_max = 999;  // 0: no limit
};

// Throws Error(BadInput) if an option is out of range.
void check(const CoreOptions& options);

enum class CoreEnd : std::uint8_t {
  Size,          // it has the requested size
  Density,       // the next member would break the density, or broke it and was kept
  HubCap,        // hubs_max came first, and the authorities could not grow either
  NoCandidates,  // no other node links to it or from it
  NoLinks,       // the graph has no links left: there is no core
};
std::string_view to_string(CoreEnd end) noexcept;

struct BipartiteCore {
  std::vector<Node> hubs;         // in the order in which they joined
  std::vector<Node> authorities;  // the first is the best of the graph
  std::uint64_t link_count = 0;   // from hubs to authorities
  CoreEnd end = CoreEnd::NoLinks;

  // 100 * links / (hubs * authorities); 0 without members.
  [[nodiscard]] double cover_density() const noexcept;
};

struct CoreScores {
  std::span<const double> hubs;
  std::span<const double> authorities;
  std::span<const std::uint8_t> removed = {};  // 1: the node is removed; empty: none is
};

// Time O(nodes) for the best authority, then O(log) for each link at a member; ties go to the lower
// node. Throws Error(BadInput) if an option is out of range or sizes differ.
BipartiteCore grow_core(const Snapshot& graph, const CoreScores& scores,
                        const CoreOptions& options);

}  // namespace webstrata
