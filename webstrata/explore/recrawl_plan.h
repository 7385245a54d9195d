// Known pages compete with new ones for the fetches of a crawl.
//
//   const auto plan = plan_fetches(known, frontier, 500);
//
// A known page is worth its score times the probability that it has changed since it was seen
// (visit_worth); a new page what an estimator expects it to score. Both are scores of pages, so the
// best of all come first.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/explore/recrawl.h"

namespace webstrata {

struct SeenPage {
  Node node = 0;
  RecrawlPage page;
  double days_since_seen = 0;
};

struct NewPage {
  Node node = 0;
  double expected = 0;  // its score, as an estimator has it
};

struct PlannedFetch {
  Node node = 0;
  double worth = 0;
  bool is_new = false;
  friend bool operator==(const PlannedFetch&, const PlannedFetch&) = default;
};

// At most `budget` fetches, best first; at equal worth new pages come first, then by node. What is
// worth nothing is left out.
std::vector<PlannedFetch> plan_fetches(std::span<const SeenPage> known,
                                       std::span<const NewPage> frontier, std::size_t budget);

}  // namespace webstrata
