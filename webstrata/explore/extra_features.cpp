// Tested by tests/explore/extra_test.cpp.

#include "webstrata/explore/extra_features.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "webstrata/explore/extra_parameters.h"

namespace webstrata {
namespace {

// Before the first page: two pages that score a tenth of the scale on average.
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
  if (step.score > 0) first_scores_.add(step.score, 1);
  if (first_scores_.weight == 0) return;
  scale_ = first_scores_.sum / first_scores_.weight;
  is_scale_final_ = !step.is_seed;
}

void ExtraFeatures::learn(const CrawlStep& step) {
  facts_.resize(known_.size());
  if (!step.is_seed) crawl_.add(step.score, 1);
  mean_ = (crawl_.sum + kFirstSum * scale_) / (crawl_.weight + kFirstPages);
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

// In the order of extra_prior.h.
void ExtraFeatures::fill(Node node, std::span<double> features) const {
  const NeighbourFacts& near = neighbours_.of(node);
  const NodeFacts& more = facts(node);
  const double count = std::max<double>(1, near.count);
  const double log_count = std::log1p(near.count);
  const double units[3] = {1 / scale_, 1, 1 / scale_};  // of near.sum and near.max
  const double mean = mean_ / scale_;
  const double named = near.max[1] > 0 ? 1 : 0;
  const double parents = more.parents.towards(mean_, extra::kParentPrior) / scale_;
  const double siblings = more.siblings.towards(mean_, extra::kSiblingPrior) / scale_;
  const double near_siblings =
      more.siblings.towards(parents * scale_, extra::kSiblingPrior) / scale_;
  const double shared_out = kShareScale * more.shared_out / scale_;
  std::size_t next = 0;
  const auto put = [&](double value) { features[next++] = value; };
  put(1);
  for (int kind = 0; kind < 3; ++kind) put(near.max[kind] * units[kind]);
  put(near.sum[0] * units[0] / count);
  put(near.sum[1] / count);
  for (int kind = 0; kind < 3; ++kind) put(std::log1p(near.sum[kind] * units[kind]));
  put(log_count);
  put(more.good_parents / count);
  put(parents);
  put(named);
  put(named * near.max[0] * units[0]);
  put(siblings);
  put(std::log1p(kShareScale * cash_.cash(node)));
  put(near.sum[0] == 0 ? 1 : 0);
  for (const std::uint32_t least : {2, 4, 8}) put(near.count >= least ? 1 : 0);
  double groups[kLevels];
  for (std::size_t level = 0; level < kLevels; ++level) {
    groups[level] = group_mean(node, level) / scale_;
    put(groups[level]);
  }
  put(parents * siblings);
  put(siblings * groups[3]);
  put(groups[1] * groups[3]);
  put(named * siblings);
  put(std::log1p(shared_out));
  put(shared_out / count);
  put(near_siblings);
  put(std::log1p(more.siblings.weight));
  put(more.named_links / count);
  put(std::log1p(more.named_links));
  put(mean);
  put(mean * log_count);
  put(named * mean);
  assert(next == kWidth);
}

}  // namespace webstrata
