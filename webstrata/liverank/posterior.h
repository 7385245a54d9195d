// SPDX-License-Identifier: Apache-2.0

// How likely each page is to live, given the answers so far: LORE's model without a plan.
//
//   const Population pages = population_of(graph);
//   Posterior posterior(pages);
//   posterior.learn(page, false);          // tested: it is gone
//   posterior.probability(other);          // now less likely, most of all if they are relatives
//
// For callers that choose pages not only by whether they live: seeds that must live, crawls that
// weigh value against risk. Pages are nodes of Population::graph; Population::page_of(node) finds
// that of a node of the graph which the population was made from.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "webstrata/liverank/population.h"

namespace webstrata {

class Posterior {
 public:
  // `pages` must outlive it. The seed matters only beyond some ten thousand answers.
  explicit Posterior(const Population& pages, std::uint64_t seed = 1);
  ~Posterior();
  Posterior(Posterior&&) noexcept;
  Posterior& operator=(Posterior&&) noexcept;

  // Takes O(links of the page). The first answer about a page counts.
  // Throws Error(BadInput) if the page does not exist.
  void learn(Node page, bool is_live);

  // 1 or 0 for a page that was tested; 0.5 for all before the first answer. The model is fitted
  // again when answers have grown by an eighth since the last fit, so calls between two answers are
  // cheap.
  [[nodiscard]] double probability(Node page);
  // Of all pages.
  [[nodiscard]] std::vector<double> probabilities();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
