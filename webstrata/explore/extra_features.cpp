// SPDX-License-Identifier: Apache-2.0

// Everything is kept as sums and weights; means are divided only when a node is scored. A crawled
// page updates its groups, its children and, within limits, the other children of its parents. The
// features are formulas of these sums, listed in extra_prior.h next to their learned weights.
// Tested by tests/explore/extra_test.cpp.

#include "webstrata/explore/extra_features.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "webstrata/explore/extra_parameters.h"

namespace webstrata {
namespace {

// Before the first page: two pages that score a tenth of the scale on average. These two and
// kShareScale are as in the crawls that the weights were fitted on; the weights hold for them
// alone.
constexpr double kFirstSum = 0.2;
constexpr double kFirstPages = 2;
// Cash and shares are small where many share them.
constexpr double kShareScale = 50;

}  // namespace

ExtraFeatures::ExtraFeatures(const KnownGraph& known)
    : known_(known),
      groups_(std::min(kLevels, known.level_count())),
      mean_(kFirstSum / kFirstPages) {}

const ExtraFeatures::NodeFacts& ExtraFeatures::facts(Node node) const noexcept {
  static constexpr NodeFacts none;
  return node < facts_.size() ? facts_[node] : none;
}

void ExtraFeatures::learn_scale(const CrawlStep& step) {
  if (is_scale_final_) return;
  const bool is_set = first_scores_.weight > 0;
  if (step.score > 0 && (step.is_seed || !is_set)) first_scores_.add(step.score, 1);
  if (first_scores_.weight == 0) return;
  scale_ = first_scores_.sum / first_scores_.weight;
  is_scale_final_ = !step.is_seed;
  learn_mean();
}

void ExtraFeatures::learn_mean() {
  mean_ = (crawl_.sum + kFirstSum * scale_) / (crawl_.weight + kFirstPages);
}

void ExtraFeatures::learn(const CrawlStep& step) {
  facts_.resize(known_.size());
  if (!step.is_seed) crawl_.add(step.score, 1);
  learn_mean();
  learn_groups(step);
  tell_siblings(step);
  tell_children(step);
  neighbours_.learn(step);
  cash_.learn(known_, step);
}

void ExtraFeatures::learn_groups(const CrawlStep& step) {
  const auto groups = known_.groups(step.node);
  for (std::size_t level = 0; level < groups_.size(); ++level) {
    if (groups[level] == kNoGroup) continue;
    if (groups[level] >= groups_[level].size()) groups_[level].resize(groups[level] + 1);
    groups_[level][groups[level]].add(step.score, 1);
  }
}

// The other children of its parents hear how the page did.
void ExtraFeatures::tell_siblings(const CrawlStep& step) {
  std::size_t parents_left = extra::kParentsMax;
  known_.for_each_in_link(step.node, [&](Node parent, double) {
    const auto links = known_.links(parent);
    if (parents_left == 0 || links.size() > extra::kSiblingsMax) return;
    --parents_left;
    const double weight = 1 / static_cast<double>(links.size());
    for (const KnownLink& link : links) facts_[link.target].siblings.add(step.score, weight);
  });
}

// Its own children hear how the page did, and how those of them did that are crawled already.
void ExtraFeatures::tell_children(const CrawlStep& step) {
  if (step.links.empty()) return;
  const auto link_count = static_cast<double>(step.links.size());
  Mean crawled;
  if (step.links.size() <= extra::kSiblingsMax) {
    for (const KnownLink& link : step.links) {
      if (known_.is_crawled(link.target)) crawled.add(known_.score(link.target), 1 / link_count);
    }
  }
  for (const KnownLink& link : step.links) {
    NodeFacts& child = facts_[link.target];
    child.parents.add(step.score, 1 / std::sqrt(link_count));
    child.shared_out += step.score / link_count;
    child.good_parents += step.score > 0 ? 1 : 0;
    child.named_links += link.score > 0 ? 1 : 0;
    child.siblings.sum += crawled.sum;
    child.siblings.weight += crawled.weight;
  }
}

double ExtraFeatures::sibling_mean(Node node, double prior) const {
  return facts(node).siblings.towards(mean_, prior);
}

// The mean of the crawl where the node has no group.
double ExtraFeatures::group_mean(Node node, std::size_t level) const {
  if (level >= groups_.size()) return mean_;
  const Group group = known_.groups(node)[level];
  if (group == kNoGroup || group >= groups_[level].size()) return mean_;
  return groups_[level][group].towards(mean_, extra::kGroupPrior);
}

extra::FeatureInput ExtraFeatures::input(Node node) const {
  const NeighbourFacts& near = neighbours_.of(node);
  const NodeFacts& more = facts(node);
  const double unit = 1 / scale_;
  extra::FeatureInput of;
  of.beta_max = near.max[0] * unit;
  of.alpha_max = near.max[1];
  of.both_max = near.max[2] * unit;
  of.beta_sum = near.sum[0] * unit;
  of.alpha_sum = near.sum[1];
  of.both_sum = near.sum[2] * unit;
  of.links = near.count;
  of.links_or_1 = std::max<double>(1, near.count);
  of.log_links = std::log1p(near.count);
  of.named = near.max[1] > 0 ? 1 : 0;
  of.named_links = more.named_links;
  of.parents = more.parents.towards(mean_, extra::kParentPrior) / scale_;
  of.scoring_parents = more.good_parents;
  of.no_parent_scores = near.sum[0] == 0 ? 1 : 0;
  of.shares = kShareScale * more.shared_out / scale_;
  of.siblings = more.siblings.towards(mean_, extra::kSiblingPrior) / scale_;
  of.near_siblings = more.siblings.towards(of.parents * scale_, extra::kSiblingPrior) / scale_;
  of.sibling_weight = more.siblings.weight;
  of.cash = kShareScale * cash_.cash(node);
  of.host = group_mean(node, 0) / scale_;
  of.directory = group_mean(node, 1) / scale_;
  of.first_word = group_mean(node, 2) / scale_;
  of.last_word = group_mean(node, 3) / scale_;
  of.mean = mean_ / scale_;
  return of;
}

void ExtraFeatures::fill(Node node, std::span<double> features) const {
  assert(features.size() == kWidth);
  const extra::FeatureInput of = input(node);
  // Unrolled, so that the formulas are inlined: one call through a pointer each would cost more.
  [&]<std::size_t... row>(std::index_sequence<row...>) {
    ((features[row] = extra::kFeatureTable[row].formula(of)), ...);
  }
  (std::make_index_sequence<kWidth>());
}

}  // namespace webstrata
