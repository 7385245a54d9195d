// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/planners_test.cpp.

#include "webstrata/liverank/round_planner.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace webstrata {

std::size_t round_tests(double round, Node page_count) {
  if (round == 0) return page_count;
  const double tests = round < 1 ? round * page_count : round;
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::min<double>(tests, page_count)));
}

RoundPlanner::RoundPlanner(const Population& pages, std::vector<Node> sample,
                           std::vector<double> ties, std::size_t round_tests,
                           std::size_t first_tests)
    : Planner(pages.size()),
      pages_(pages),
      sample_(std::move(sample)),
      ties_(std::move(ties)),
      round_tests_(round_tests),
      growing_tests_(static_cast<double>(std::min(first_tests, round_tests))) {}

std::size_t RoundPlanner::batch_size() const {
  // A campaign that is resumed may have named the sample already.
  const auto left = std::count_if(sample_.begin() + static_cast<std::ptrdiff_t>(sample_place_),
                                  sample_.end(), [&](Node page) { return is_open(page); });
  if (left > 0) return static_cast<std::size_t>(left);
  if (queue_place_ < queue_.size()) return queue_.size() - queue_place_;
  return static_cast<std::size_t>(growing_tests_);
}

void RoundPlanner::serve(std::vector<Node>& queue, std::size_t& place, std::size_t count,
                         std::vector<Node>& batch) {
  for (; place < queue.size() && batch.size() < count; ++place) {
    if (is_open(queue[place])) batch.push_back(queue[place]);
  }
}

void RoundPlanner::rank(std::size_t count) {
  queue_.clear();
  queue_place_ = 0;
  for (Node page = 0; page < page_count(); ++page) {
    if (is_open(page)) queue_.push_back(page);
  }
  if (queue_.empty()) return;
  if (!scores_.empty()) {
    const double wanted = growing_tests_ * growth() + 1;
    const auto most = static_cast<double>(round_tests_);
    // Once rounds have grown large, they stay above a quarter of that: the work must remain
    // bounded.
    const double least = std::min(growing_tests_, most / 4);
    growing_tests_ = std::clamp(wanted, least, most);
  }
  scores_.resize(page_count());
  score(scores_);
  const std::size_t tests = std::max(count, static_cast<std::size_t>(growing_tests_));
  keep_best(queue_, std::min(tests, queue_.size()), scores_, ties_);
}

void RoundPlanner::propose(std::size_t count, std::vector<Node>& batch) {
  serve(sample_, sample_place_, count, batch);
  if (!batch.empty()) return;  // answers may change the rest
  serve(queue_, queue_place_, count, batch);
  if (!batch.empty()) return;
  if (const auto page = lesson(); page && is_open(*page)) {
    batch.push_back(*page);
    return;
  }
  rank(count);
  serve(queue_, queue_place_, count, batch);
}

std::vector<Reason> RoundPlanner::why(Node page) {
  if (scores_.empty()) {
    scores_.resize(page_count());
    score(scores_);
  }
  return {{"score", scores_[page], 0}, {"PageRank", pages_.pagerank[page], 0}};
}

}  // namespace webstrata
