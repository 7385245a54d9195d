// SPDX-License-Identifier: Apache-2.0

// LORE's model: how likely a page is to live, from what is known about it and from its relatives'
// answers.
//
// Ridge logistic regression (logistic.h) on the tested pages. A page is described by bins of what
// is known about it (page_features.h) and by the evidence of its tested relatives (evidence.h),
// excluding its own answer: so where death does not spread along links, their weights go to 0.

#pragma once

#include <cstdint>
#include <vector>

#include "webstrata/base/random.h"
#include "webstrata/liverank/evidence.h"
#include "webstrata/liverank/logistic.h"
#include "webstrata/liverank/lore_parameters.h"
#include "webstrata/liverank/page_features.h"
#include "webstrata/liverank/planner.h"

namespace webstrata {

class LoreModel {
 public:
  // `pages` must outlive it. The seed draws the rows of a fit where there are too many.
  LoreModel(const Population& pages, std::uint64_t seed, const LoreParameters& parameters = {});

  // An answer; at most one for each page.
  void add(Node page, bool is_live);
  // Fits the weights again. False if they explain the answers worse than the mean rate does, or if
  // there are no answers: there are then no weights until the next fit.
  bool fit();
  [[nodiscard]] bool has_weights() const noexcept { return !weights_.empty(); }
  // (live + 1) / (tested + 2).
  [[nodiscard]] double rate() const;
  [[nodiscard]] const std::vector<Node>& tested() const noexcept { return tested_; }

  // Of a page that was not tested, with weights. Evidence over two links is that of the last fit.
  [[nodiscard]] double log_odds(Node page);
  // The terms of the log odds.
  [[nodiscard]] std::vector<Reason> why(Node page);

 private:
  [[nodiscard]] std::vector<Node> pages_to_learn_from();
  [[nodiscard]] LogisticRows rows_of(const std::vector<Node>& tested) const;

  LoreParameters parameters_;
  PageFeatures features_;
  Evidence evidence_;
  LogisticShape shape_;
  Random random_;
  std::vector<double> prior_;
  std::vector<double> weights_;
  std::vector<Node> tested_;
  std::vector<Evidence::Own> answers_;  // of each page
  std::uint64_t live_ = 0;
  std::vector<float> numbers_;  // of one page
};

}  // namespace webstrata
