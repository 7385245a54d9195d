// SPDX-License-Identifier: Apache-2.0

// NR: Navigational Rank. The score of a page flows back to the pages that lead to it, and from
// those forward to the frontier:
//
//   NR1(v) = d beta(v) + (1-d) avg over known links v -> u of NR1(u) / indegree(u)     crawled v
//   NR2(v) =             (1-d) avg over known links u -> v of NR1(u) / outdegree(u)    frontier v
//
// The paper prints the two index pairs in the opposite order from its text; this follows the text.
// Pages not crawled have no score and no known links, so NR1 is 0 there, and NR2 of a crawled page
// is its NR1. `avg` and the division by a degree normalise twice; `sum` leaves the average out.
//
// A new page changes NR1 only nearby. So NR1 is kept with the residual of each crawled page's
// equation; a page whose residual exceeds the tolerance is corrected, which changes the residuals
// of its parents by less. nr-full sweeps over all pages at every step instead.
// Tested by tests/explore/estimators_test.cpp.

#include <cmath>
#include <deque>

#include "webstrata/explore/estimator_makers.h"
#include "webstrata/explore/heap_estimator.h"

namespace webstrata {
namespace {

constexpr int kSweepsMax = 1000;

class NrEstimator : public HeapEstimator {
 public:
  NrEstimator(const KnownGraph& known, const EstimatorOptions& options, RankJoin join)
      : HeapEstimator(known, options),
        join_(join),
        damping_(options.nr_damping),
        tolerance_(options.nr_tolerance) {}

 protected:
  // Of a page's own links; of links to a page.
  [[nodiscard]] double norm(double degree) const { return join_ == RankJoin::Sum ? 1 : 1 / degree; }

  void take_in(const CrawlStep& step) override {
    ranks_.resize(known_.size());
    off_.resize(known_.size());
    arrived_.resize(known_.size());
    is_waiting_.resize(known_.size());
    moved_.resize(known_.size());
    is_moved_.resize(known_.size());
    is_told_.resize(known_.size());
    raise_in_degrees(step);
    put_off(step.node, damping_ * step.score + pulled(step.node));
    settle();
    tell_children();
  }

  [[nodiscard]] double score_now(Node node) const override {
    const std::uint32_t degree = node < arrived_.size() ? known_.in_degree(node) : 0;
    return degree == 0 ? 0 : (1 - damping_) * norm(degree) * arrived_[node];
  }

  // (1-d) avg of NR1(u) / indegree(u) over the links of a page.
  [[nodiscard]] double pulled(Node node) const {
    double sum = 0;
    for (const KnownLink& link : known_.links(node)) {
      sum += ranks_[link.target] / known_.in_degree(link.target);
    }
    return sum == 0 ? 0 : (1 - damping_) * norm(known_.out_degree(node)) * sum;
  }

  RankJoin join_;
  double damping_;
  double tolerance_;
  std::vector<double> ranks_;    // NR1, by node
  std::vector<double> arrived_;  // by node: sum of NR1(u) / outdegree(u) over links to it

 private:
  void put_off(Node node, double amount) {
    off_[node] += amount;
    if (is_waiting_[node] != 0 || std::abs(off_[node]) <= tolerance_) return;
    is_waiting_[node] = 1;
    waiting_.push_back(node);
  }

  // Pages that the new one links to now divide their rank among one more parent.
  void raise_in_degrees(const CrawlStep& step) {
    for (const KnownLink& link : step.links) {
      const double rank = ranks_[link.target];
      const double degree = known_.in_degree(link.target);
      if (rank == 0 || degree == 1) continue;
      const double change = (1 - damping_) * rank * (1 / degree - 1 / (degree - 1));
      known_.for_each_in_link(link.target, [&](Node parent, double) {
        if (parent != step.node) put_off(parent, change * norm(known_.out_degree(parent)));
      });
    }
  }

  void settle() {
    while (!waiting_.empty()) {
      const Node node = waiting_.front();
      waiting_.pop_front();
      is_waiting_[node] = 0;
      const double change = off_[node];
      off_[node] = 0;
      ranks_[node] += change;
      moved_[node] += change;
      if (is_moved_[node] == 0) movers_.push_back(node);
      is_moved_[node] = 1;
      if (known_.in_degree(node) == 0) continue;
      const double share = (1 - damping_) * change / known_.in_degree(node);
      known_.for_each_in_link(node, [&](Node parent, double) {
        put_off(parent, share * norm(known_.out_degree(parent)));
      });
    }
  }

  // Once for each page whose rank changed, however often it was corrected.
  void tell_children() {
    for (const Node node : movers_) {
      const auto links = known_.links(node);
      const double share = moved_[node] / static_cast<double>(links.size());
      for (const KnownLink& link : links) {
        arrived_[link.target] += share;
        if (is_told_[link.target] == 0) told_.push_back(link.target);
        is_told_[link.target] = 1;
      }
      moved_[node] = 0;
      is_moved_[node] = 0;
    }
    for (const Node node : told_) {
      if (known_.is_frontier(node)) set(node);
      is_told_[node] = 0;
    }
    movers_.clear();
    told_.clear();
  }

  std::vector<double> off_;  // by node: right side of its equation minus NR1
  std::vector<std::uint8_t> is_waiting_;
  std::deque<Node> waiting_;
  // During one step: the changes of NR1, their pages, and the nodes whose `arrived_` they change.
  std::vector<double> moved_;
  std::vector<std::uint8_t> is_moved_;
  std::vector<std::uint8_t> is_told_;
  std::vector<Node> movers_;
  std::vector<Node> told_;
};

class NrFullEstimator : public NrEstimator {
 public:
  using NrEstimator::NrEstimator;

 private:
  void take_in(const CrawlStep& /*step*/) override {
    ranks_.assign(known_.size(), 0);
    for (int sweep = 0; sweep < kSweepsMax; ++sweep) {
      double change = 0;
      for (const Node node : known_.crawled()) {
        const double rank = damping_ * known_.score(node) + pulled(node);
        change = std::max(change, std::abs(rank - ranks_[node]));
        ranks_[node] = rank;
      }
      if (change <= tolerance_ * damping_) break;
    }
    arrived_.assign(known_.size(), 0);
    for (const Node node : known_.crawled()) {
      const auto links = known_.links(node);
      for (const KnownLink& link : links) {
        arrived_[link.target] += ranks_[node] / static_cast<double>(links.size());
      }
    }
    for (const Node node : known_.frontier()) set(node);
  }
};

}  // namespace

EstimatorPointer make_nr_estimator(const KnownGraph& known, const EstimatorOptions& options,
                                   RankJoin join) {
  return std::make_unique<NrEstimator>(known, options, join);
}

EstimatorPointer make_nr_full_estimator(const KnownGraph& known, const EstimatorOptions& options,
                                        RankJoin join) {
  return std::make_unique<NrFullEstimator>(known, options, join);
}

}  // namespace webstrata
