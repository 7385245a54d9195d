// SPDX-License-Identifier: Apache-2.0

// When a page was captured, and what every sighting of it said: together they determine its state
// at any time.
//
// The history of a page that was seen very often is kept decoded, so that only the first question
// about it has to read it.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "webstrata/archive/read/cached_stack.h"
#include "webstrata/archive/read/page_rows.h"
#include "webstrata/codec/sightings.h"

namespace webstrata {

class PageHistory {
 public:
  PageHistory(const CachedStack& stack, Uid uid);

  // From the cache if possible; a long history is cached afterwards.
  static std::shared_ptr<const PageHistory> of(const CachedStack& stack, Uid uid);

  [[nodiscard]] const PageRows& rows() const noexcept { return rows_; }
  [[nodiscard]] std::span<const SightingOutcome> outcomes() const noexcept { return outcomes_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  PageRows rows_;
  std::vector<SightingOutcome> outcomes_;
};

}  // namespace webstrata
