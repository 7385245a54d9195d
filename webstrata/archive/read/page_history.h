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
  [[nodiscard]] const PageRows& rows() const noexcept { return rows_; }
  [[nodiscard]] std::span<const SightingOutcome> outcomes() const noexcept { return outcomes_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  friend class PageHistories;
  PageRows rows_;
  std::vector<SightingOutcome> outcomes_;
};

// Reads the histories of pages, one after the other: fastest if they ascend. Belongs to one thread.
class PageHistories {
 public:
  explicit PageHistories(const CachedStack& stack) : stack_(stack) {}

  // From the cache if it is there; a long history is cached afterwards. It lives until the next
  // call.
  const PageHistory& of(Uid uid);

 private:
  const CachedStack& stack_;
  std::shared_ptr<PageHistory> history_;       // its memory is used again
  std::shared_ptr<const PageHistory> cached_;  // that was given last
  std::vector<SightingsHold> holds_;
  bool has_begun_ = false;
};

}  // namespace webstrata
