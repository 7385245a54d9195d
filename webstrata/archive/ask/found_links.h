// SPDX-License-Identifier: Apache-2.0

// The links of a page, or of all its spellings together: out or in, at a time, during one, or ever.
//
//   for (const auto& [node, link] : find_links(archive, {uid}, {.direction = Direction::In})) ...

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "webstrata/archive/ask/archive.h"

namespace webstrata {

struct LinkQuestion {
  Direction direction = Direction::Out;
  std::optional<Time> at = {};
  std::optional<TimeInterval> during = {};
  LinkKinds kinds = kAllKinds;
  bool wants_history = false;
  bool by_range = false;  // the papers' coarse answer: in, during, all kinds
};

// What is known about one link; fields that were not requested stay empty.
struct FoundLink {
  LinkKinds kinds = {};
  std::uint8_t count = 0;
  std::optional<TimeInterval> seen = {};
  std::uint64_t captures = 0;
};
// By the other end.
using FoundLinks = std::map<Uid, FoundLink>;

// Several nodes are spellings of one page: their links are united.
FoundLinks find_links(const Archive& archive, std::span<const Uid> nodes,
                      const LinkQuestion& question);

}  // namespace webstrata
