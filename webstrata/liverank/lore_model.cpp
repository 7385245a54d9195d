// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/posterior_test.cpp and learning_test.cpp.

#include "webstrata/liverank/lore_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace webstrata {
LoreModel::LoreModel(const Population& pages, std::uint64_t seed, const LoreParameters& parameters)
    : parameters_(parameters),
      features_(pages, parameters.bins),
      evidence_(pages, parameters.hub_links),
      shape_(features_.bin_counts(), evidence_.size()),
      random_(seed),
      prior_(shape_.size),
      answers_(pages.size(), Evidence::Own::Untested),
      numbers_(evidence_.size()) {
  std::fill(prior_.begin() + shape_.first_number, prior_.end(), parameters.prior);
}

void LoreModel::add(Node page, bool is_live) {
  assert(answers_[page] == Evidence::Own::Untested);
  answers_[page] = is_live ? Evidence::Own::Live : Evidence::Own::Dead;
  tested_.push_back(page);
  live_ += is_live ? 1 : 0;
  evidence_.add(page, is_live);
}

double LoreModel::rate() const {
  return (static_cast<double>(live_) + 1) / (static_cast<double>(tested_.size()) + 2);
}

std::vector<Node> LoreModel::pages_to_learn_from() {
  const std::size_t rows_max = parameters_.rows_max;
  std::vector<Node> chosen = tested_;
  if (chosen.size() <= rows_max) return chosen;
  for (std::size_t i = 0; i < rows_max; ++i) {
    std::swap(chosen[i], chosen[i + random_.below(chosen.size() - i)]);
  }
  chosen.resize(rows_max);
  return chosen;
}

LogisticRows LoreModel::rows_of(const std::vector<Node>& tested) const {
  LogisticRows rows{features_.size(), evidence_.size(), {}, {}, {}};
  rows.numbers.resize(tested.size() * evidence_.size());
  float* numbers = rows.numbers.data();
  for (const Node page : tested) {
    const std::uint8_t* bins = features_.bins(page);
    rows.bins.insert(rows.bins.end(), bins, bins + features_.size());
    rows.live.push_back(answers_[page] == Evidence::Own::Live ? 1 : 0);
    evidence_.values(page, answers_[page], rate(), numbers);
    numbers += evidence_.size();
  }
  return rows;
}

bool LoreModel::fit() {
  evidence_.settle();
  if (tested_.empty()) return false;
  const LogisticRows rows = rows_of(pages_to_learn_from());
  LogisticFit found = fit_logistic(
      shape_, rows,
      {.ridge = parameters_.ridge,
       .prior = prior_,
       .start = weights_,
       .steps_max = weights_.empty() ? parameters_.steps_first : parameters_.steps_later});
  weights_.clear();
  if (!(found.loss <= found.base_loss)) return false;
  weights_ = std::move(found.weights);
  return true;
}

double LoreModel::log_odds(Node page) {
  double sum = weights_[0];
  const std::uint8_t* bins = features_.bins(page);
  for (std::size_t feature = 0; feature < features_.size(); ++feature) {
    if (bins[feature] > 0) sum += weights_[shape_.first[feature] + bins[feature] - 1];
  }
  evidence_.values(page, Evidence::Own::Untested, rate(), numbers_.data());
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    sum += weights_[shape_.first_number + i] * double{numbers_[i]};
  }
  return sum;
}

std::vector<Reason> LoreModel::why(Node page) {
  const double score = log_odds(page);
  std::vector<Reason> reasons = {{"score (log odds)", score, 0},
                                 {"likely alive", 1 / (1 + std::exp(-score)), 0},
                                 {"all pages", 1, weights_[0]}};
  const std::uint8_t* bins = features_.bins(page);
  for (std::size_t feature = 0; feature < features_.size(); ++feature) {
    const std::uint8_t bin = bins[feature];
    reasons.push_back({fmt::format("{} (bin)", features_.name(feature)), static_cast<double>(bin),
                       bin == 0 ? 0 : weights_[shape_.first[feature] + bin - 1]});
  }
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const double number = numbers_[i];
    reasons.push_back({fmt::format("evidence of {}", evidence_.name(i)), number,
                       weights_[shape_.first_number + i] * number});
  }
  return reasons;
}

}  // namespace webstrata
