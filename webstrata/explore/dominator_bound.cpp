// SPDX-License-Identifier: Apache-2.0

// Dominators form a tree below the seeds (Cooper, Harvey and Kennedy 2001: "A simple, fast
// dominance algorithm"). The best n pages of a tree that include all their ancestors are found
// bottom-up: for every page and every k, the best k pages of its subtree; a parent merges the
// lists of its children. On a web, most pages are leaves of the tree. The best k of some leaves are
// their k best, and a list whose steps only fall is merged in O(n log n).
// Tested by tests/explore/dominator_bound_test.cpp and offline_optimum_test.cpp.

#include "webstrata/explore/dominator_bound.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace webstrata {
namespace {

using Place = std::uint32_t;
constexpr Place kNowhere = std::numeric_limits<Place>::max();
using Values = std::vector<double>;  // by number of pages, from 0; never falling

// Pages before the pages that they dominate: numbers of a depth-first walk, finished last first.
// The seeds are one node, with the number of pages as its place.
class Dominators {
 public:
  Dominators(const std::vector<bool>& is_first, std::span<const std::vector<Place>> targets)
      : root_(static_cast<Place>(targets.size())), targets_(targets), number_(targets.size() + 1) {
    for (Place place = 0; place < root_; ++place) {
      if (is_first[place]) first_.push_back(place);
    }
    walk();
    find();
  }

  // Every page after its dominators; the seeds are first.
  [[nodiscard]] const std::vector<Place>& order() const noexcept { return order_; }
  // The last page that every path to it passes, or the seeds.
  [[nodiscard]] Place parent(Place place) const { return parents_[place]; }

 private:
  [[nodiscard]] std::span<const Place> next_of(Place place) const {
    return place == root_ ? std::span<const Place>(first_) : targets_[place];
  }

  void walk() {
    std::vector<bool> is_seen(root_ + std::size_t{1});
    std::vector<std::pair<Place, std::size_t>> path = {{root_, 0}};
    is_seen[root_] = true;
    while (!path.empty()) {
      auto& [place, done] = path.back();
      const auto next = next_of(place);
      if (done == next.size()) {
        order_.push_back(place);
        path.pop_back();
        continue;
      }
      const Place to = next[done++];
      if (is_seen[to]) continue;
      is_seen[to] = true;
      path.emplace_back(to, 0);
    }
    std::ranges::reverse(order_);
    for (std::size_t i = 0; i < order_.size(); ++i) number_[order_[i]] = static_cast<Place>(i);
  }

  [[nodiscard]] Place common(Place a, Place b) const {
    while (a != b) {
      while (number_[a] > number_[b]) a = parents_[a];
      while (number_[b] > number_[a]) b = parents_[b];
    }
    return a;
  }

  void find() {
    parents_.assign(root_ + std::size_t{1}, kNowhere);
    parents_[root_] = root_;
    for (bool is_changed = true; is_changed;) {
      const std::vector<Place> before = parents_;
      for (const Place place : order_) {
        for (const Place to : next_of(place)) {
          parents_[to] = parents_[to] == kNowhere ? place : common(parents_[to], place);
        }
      }
      is_changed = parents_ != before;
    }
  }

  Place root_;
  std::span<const std::vector<Place>> targets_;
  std::vector<Place> number_;
  std::vector<Place> first_;
  std::vector<Place> order_;
  std::vector<Place> parents_;
};

// The best of a[i] + b[k - i] for each k.
Values merged(const Values& a, const Values& b, std::size_t budget) {
  Values sum(std::min(a.size() + b.size() - 2, budget) + 1);
  for (std::size_t i = 0; i < a.size() && i < sum.size(); ++i) {
    const std::size_t most = std::min(b.size(), sum.size() - i);
    for (std::size_t j = 0; j < most; ++j) sum[i + j] = std::max(sum[i + j], a[i] + b[j]);
  }
  return sum;
}

// The same where the steps of b only fall. The best i then never falls as k grows, so the middle k
// halves the choice for the others.
class FallingMerge {
 public:
  FallingMerge(const Values& a, const Values& b, std::size_t budget)
      : a_(a), b_(b), sum_(std::min(a.size() + b.size() - 2, budget) + 1) {
    fill(0, sum_.size(), 0, a.size() - 1);
  }
  Values sum() && { return std::move(sum_); }

 private:
  void fill(std::size_t from, std::size_t end, std::size_t lowest, std::size_t highest) {
    if (from == end) return;
    const std::size_t k = from + (end - from) / 2;
    std::size_t best = lowest;
    double value = -1;
    for (std::size_t i = lowest; i <= std::min(highest, k); ++i) {
      const double now = a_[i] + b_[std::min(k - i, b_.size() - 1)];
      if (now > value) value = now, best = i;
    }
    sum_[k] = value;
    fill(from, k, lowest, best);
    fill(k + 1, end, best, highest);
  }

  const Values& a_;
  const Values& b_;
  Values sum_;
};

Values best_of_leaves(Values leaves) {
  std::ranges::sort(leaves, std::ranges::greater());
  Values sums = {0};
  for (const double score : leaves) sums.push_back(sums.back() + score);
  return sums;
}

}  // namespace

double dominator_bound(std::span<const double> scores, const std::vector<bool>& is_first,
                       std::span<const std::vector<std::uint32_t>> targets, std::uint64_t budget,
                       double work_max) {
  const auto root = static_cast<Place>(scores.size());
  const Dominators tree(is_first, targets);
  std::vector<Values> below(root + std::size_t{1});   // of a page's children, merged so far
  std::vector<Values> leaves(root + std::size_t{1});  // scores of its children without children
  double work = 0;
  for (std::size_t i = tree.order().size(); i-- > 0;) {
    const Place place = tree.order()[i];
    Values own = std::exchange(below[place], {});
    const bool is_leaf = own.empty() && leaves[place].empty();
    if (place != root && is_leaf) {
      leaves[tree.parent(place)].push_back(scores[place]);
      continue;
    }
    if (own.empty()) own = {0};
    own = FallingMerge(own, best_of_leaves(std::exchange(leaves[place], {})), budget).sum();
    if (place == root) return own.back();
    own.insert(own.begin(), 0);
    for (std::size_t k = 1; k < own.size(); ++k) own[k] += scores[place];
    if (own.size() > budget + 1) own.resize(budget + 1);
    Values& into = below[tree.parent(place)];
    if (into.empty()) into = {0};
    work += static_cast<double>(into.size()) * static_cast<double>(own.size());
    if (work > work_max) return std::numeric_limits<double>::infinity();
    into = merged(into, own, budget);
  }
  return 0;
}

}  // namespace webstrata
