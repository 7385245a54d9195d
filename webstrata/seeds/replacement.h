// SPDX-License-Identifier: Apache-2.0

// A vanished seed is replaced by the page of a newer graph that is most like it.
//
//   for (const Replacement& found : replace_vanished(old, newer, vanished)) {
//     if (found.node) newer.name(*found.node), found.similarity;
//   }
//
// Tried in this order: the page that it redirects to; a page with the same content; one with the
// same title; the page whose links are most like those that it had.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

enum class ReplacedBy : std::uint8_t { Nothing, Redirect, Content, Title, Links };
std::string_view to_string(ReplacedBy reason) noexcept;

struct ReplacementOptions {
  double similarity_min = 0.3;  // shared links / all links of both, in (0, 1]
  // A target that more pages link to says little about similarity and is not followed back.
  std::uint32_t sources_max = 1000;
  // Content or a title that more pages share is a template.
  std::uint32_t twins_max = 10;
};

struct Replacement {
  Node vanished = 0;         // in the old graph
  std::optional<Node> node;  // in the newer one
  ReplacedBy reason = ReplacedBy::Nothing;
  double similarity = 0;  // of links; 0 for other reasons
};

// In the order of `vanished`; no page twice, and none of `taken` (nodes of `newer`). Redirects need
// the node column `outcome` of the newer graph and, where a page has other links too, the link
// column `kinds`; content and titles need the node columns `digest` and `title` of both. Throws
// Error(BadInput) if a graph has no names or an option is out of range.
std::vector<Replacement> replace_vanished(const Snapshot& old, const Snapshot& newer,
                                          std::span<const Node> vanished,
                                          std::span<const Node> taken = {},
                                          const ReplacementOptions& options = {});

}  // namespace webstrata
