// SPDX-License-Identifier: Apache-2.0

// When to test a directory about which nothing is known yet.
//
// A model learned on some directories knows little about others, and a large one may contain half
// of the live pages. One test of it costs what the best page would have gained, r; with probability
// q it opens s live pages, of which r would have been found anyway. So the largest directory
// without an answer is worth a test while
//
//   q · s · (1 − r) > 2
//
// where r is the share of live pages among the latest tests, q that among such tests so far. While
// tests find live pages (r above 0.6) exploration can wait: nothing is lost. Such tests are at most
// 20 and 0.5 % of all tests.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "webstrata/liverank/lore_parameters.h"
#include "webstrata/liverank/population.h"

namespace webstrata {

class Exploration {
 public:
  // `pages` must outlive it. The first `sample` answers do not count for r, since these pages were
  // not chosen by a model. Without names there is nothing to explore.
  Exploration(const Population& pages, std::size_t sample,
              const ExplorationParameters& parameters = {});

  void add(Node page, bool is_live);
  // A page in the middle of that directory, if it is worth a test now.
  [[nodiscard]] std::optional<Node> next();

 private:
  ExplorationParameters parameters_;
  const UrlLevel* directories_ = nullptr;
  std::vector<std::uint32_t> by_size_;   // directories, the largest first
  std::vector<Node> middles_;            // a page of each
  std::vector<std::uint8_t> is_known_;   // each directory: it has an answer, or was named
  std::vector<std::uint8_t> is_lesson_;  // each page: it was named here
  std::size_t place_ = 0;                // in by_size_
  double keep_;                          // of the past, with each test
  std::size_t sample_;                   // answers that are still to come
  double tests_ = 0;
  double recent_live_;
  double recent_tests_;
  double lessons_ = 0;
  double lessons_live_ = 0;
};

}  // namespace webstrata
