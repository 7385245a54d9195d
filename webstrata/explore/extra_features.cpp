// Tested by tests/explore/extra_test.cpp.

#include "webstrata/explore/extra_features.h"

#include <cassert>
#include <cmath>

#include "webstrata/explore/extra_parameters.h"

namespace webstrata {
namespace {

// Before the first page: two pages that score 0.1 on average.
constexpr double kFirstSum = 0.2;
constexpr double kFirstPages = 2;
// Cash is small where many share it.
constexpr double kCashScale = 50;

}  // namespace

ExtraFeatures::ExtraFeatures(const KnownGraph& known)
    : known_(known), groups_(known.level_count()), mean_(kFirstSum / kFirstPages) {}

const ExtraFeatures::NodeFacts& ExtraFeatures::facts(Node node) const noexcept {
  static constexpr NodeFacts none;
  return node < facts_.size() ? facts_[node] : none;
}

void ExtraFeatures::learn(const CrawlStep& step) {
  facts_.resize(known_.size());
  if (!step.is_seed) {
    crawl_.add(step.score, 1);
    mean_ = (crawl_.sum + kFirstSum) / (crawl_.weight + kFirstPages);
  }
  learn_groups(step);
  tell_siblings(step);
  tell_children(step);
  neighbours_.learn(step);
  cash_.learn(known_, step);
}

void ExtraFeatures::learn_groups(const CrawlStep& step) {
  const auto groups = known_.groups(step.node);
  for (std::size_t level = 0; level < groups.size(); ++level) {
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
    child.good_parents += step.score > 0 ? 1 : 0;
    child.siblings.sum += crawled.sum;
    child.siblings.weight += crawled.weight;
  }
}

double ExtraFeatures::sibling_mean(Node node, double prior) const {
  return facts(node).siblings.towards(mean_, prior);
}

double ExtraFeatures::group_mean(Node node, std::size_t level) const {
  const Group group = known_.groups(node)[level];
  if (group == kNoGroup || group >= groups_[level].size()) return mean_;
  return groups_[level][group].towards(mean_, extra::kGroupPrior);
}

void ExtraFeatures::fill(Node node, std::span<double> features) const {
  const NeighbourFacts& near = neighbours_.of(node);
  const NodeFacts& more = facts(node);
  const double count = std::max<double>(1, near.count);
  const double is_named = near.max[1] > 0 ? 1 : 0;  // a link to it speaks of the topic
  const double parents = more.parents.towards(mean_, extra::kParentPrior);
  const double siblings = more.siblings.towards(mean_, extra::kSiblingPrior);
  std::size_t next = 0;
  const auto put = [&](double value) { features[next++] = value; };
  put(1);
  for (const double max : near.max) put(max);
  put(near.sum[0] / count);
  put(near.sum[1] / count);
  for (const double sum : near.sum) put(std::log1p(sum));
  put(std::log1p(near.count));
  put(more.good_parents / count);
  put(parents);
  put(is_named);
  put(is_named * near.max[0]);
  put(siblings);
  put(std::log1p(kCashScale * cash_.cash(node)));
  put(near.sum[0] == 0 ? 1 : 0);
  for (const std::uint32_t least : {2, 4, 8}) put(near.count >= least ? 1 : 0);
  double directory = mean_;
  double last = mean_;
  for (std::size_t level = 0; level < groups_.size(); ++level) {
    last = group_mean(node, level);
    if (level == 1) directory = last;
    put(last);
  }
  put(parents * siblings);
  put(siblings * last);
  put(directory * last);
  put(is_named * siblings);
  assert(next == width());
}

}  // namespace webstrata
