// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/estimators_test.cpp.

#include "webstrata/explore/opic_cash.h"

#include <algorithm>

namespace webstrata {

void OpicCash::begin(std::span<const Node> seeds) {
  for (const Node seed : seeds) {
    if (seed >= cash_.size()) cash_.resize(seed + std::size_t{1});
    cash_[seed] = 1 / static_cast<double>(seeds.size());
  }
}

double OpicCash::share_of(const KnownGraph& known, const KnownLink& link,
                          double mean_score) const noexcept {
  const double link_part = share_ == CashShare::Links || share_ == CashShare::Both ? link.score : 1;
  if (share_ != CashShare::Nodes && share_ != CashShare::Both) return link_part;
  return link_part * (known.is_crawled(link.target) ? known.score(link.target) : mean_score);
}

void OpicCash::learn(const KnownGraph& known, const CrawlStep& step) {
  const std::size_t size = known.size();
  if (size > cash_.size()) cash_.resize(size);
  if (size > history_.size()) history_.resize(size);
  score_sum_ += step.score;
  const double amount = cash_[step.node];
  history_[step.node] += amount;
  handed_on_ += amount;
  cash_[step.node] = 0;
  if (step.links.empty()) {
    lost_ += amount;
    return;
  }
  const double mean_score = score_sum_ / static_cast<double>(known.crawled().size());
  shares_.clear();
  double total = 0;
  for (const KnownLink& link : step.links) {
    shares_.push_back(share_of(known, link, mean_score));
    total += shares_.back();
  }
  if (total <= 0) {
    std::fill(shares_.begin(), shares_.end(), 1);
    total = static_cast<double>(shares_.size());
  }
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    cash_[step.links[i].target] += amount * shares_[i] / total;
  }
}

}  // namespace webstrata
