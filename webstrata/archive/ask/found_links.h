// SPDX-License-Identifier: Apache-2.0

// The links of a page, or of all its spellings together: out or in, at a time, during one, or ever.
//
//   for (const auto& [node, link] : find_links(archive, {uid}, {.direction = Direction::In})) ...

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "webstrata/archive/ask/archive.h"

namespace webstrata {

struct LinkQuestion {
  Direction direction = Direction::Out;
  std::optional<Time> at = {};
  std::optional<TimeInterval> during = {};
  LinkKinds kinds = kAllKinds;
  bool wants_history = false;
  bool wants_texts = false;
  bool by_range = false;  // the papers' coarse answer: in, during, all kinds
};

// A text of links: how many links have it, in how many captures, and when it was seen.
struct FoundText {
  std::string text;
  std::uint64_t links = 0;
  std::uint64_t captures = 0;
  TimeInterval seen = {};
};

// What is known about one link; fields that were not requested stay empty.
struct FoundLink {
  LinkKinds kinds = {};
  std::uint8_t count = 0;
  std::optional<TimeInterval> seen = {};
  std::uint64_t captures = 0;
  std::vector<FoundText> texts = {};  // ascending; `links` is 1
};
// By the other end.
using FoundLinks = std::map<Uid, FoundLink>;

// Several nodes are spellings of one page: their links are united. Throws Error(BadInput) if texts
// are wanted and the archive has none.
FoundLinks find_links(const Archive& archive, std::span<const Uid> nodes,
                      const LinkQuestion& question);

// The texts of all links together, those of most links first: of links to a page, what others call
// it.
std::vector<FoundText> anchor_texts(const FoundLinks& links);

}  // namespace webstrata
