// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/heap_estimator.h"

namespace webstrata {

void Ties::learn(const CrawlStep& step) {
  for (const Node node : step.discovered) came(node);
  if (rule_ != TieBreak::NodeSum) return;
  for (const KnownLink& link : step.links) {
    if (link.target >= values_.size()) values_.resize(link.target + std::size_t{1});
    values_[link.target] += step.score;
  }
}

void Ties::came(Node node) {
  if (rule_ == TieBreak::First) return;
  if (node >= values_.size()) values_.resize(node + std::size_t{1});
  if (rule_ == TieBreak::Random) values_[node] = random_.unit();
}

double Ties::of(Node node) const noexcept { return node < values_.size() ? values_[node] : 0; }

void HeapEstimator::came(Node node) {
  ties_.came(node);
  set(node);
}

void HeapEstimator::left(Node node, std::size_t /*place*/) { heap_.remove(node); }

void HeapEstimator::learn(const CrawlStep& step) {
  ties_.learn(step);
  take_in(step);
  for (const KnownLink& link : step.links) {
    if (known_.is_frontier(link.target)) set(link.target);
  }
}

}  // namespace webstrata
