// SPDX-License-Identifier: Apache-2.0

// The graph of pages and groups is woven once. Each answer is pushed through it, so that masses are
// up to date after every test; with epsilon 0, for two rounds, exact() solves for the masses
// instead. fit() chooses kappa by the answers so far.
// Tested by tests/liverank/learning_test.cpp.

#include "webstrata/liverank/beta_rank.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace webstrata {
namespace {

// Exact scores still need each page's own mass, for fit(): by push, as exact as the dynamic ones
// (PlannerOptions::push_epsilon).
constexpr double kEpsilonOfOwn = 1e-4;
// Of exact scores: 0.7^30 is 2e-5, far below what changes an order that is tested once.
constexpr int kIterationsMax = 30;
// With such a κ only the rate counts.
constexpr double kKappaOfRate = 1e12;

// Groups of two pages or more, of all levels, with their pages.
std::vector<std::vector<Node>> shared_groups(const Population& pages) {
  std::vector<std::vector<Node>> groups;
  for (const UrlLevel& level : pages.levels) {
    std::vector<std::size_t> number(level.sizes.size());
    for (std::size_t group = 0; group < level.sizes.size(); ++group) {
      if (level.sizes[group] < 2) continue;
      number[group] = groups.size();
      groups.emplace_back().reserve(level.sizes[group]);
    }
    for (Node page = 0; page < pages.size(); ++page) {
      const std::uint32_t group = level.group_of[page];
      if (level.sizes[group] > 1) groups[number[group]].push_back(page);
    }
  }
  return groups;
}

std::vector<std::vector<Node>> groups_of_pages(const std::vector<std::vector<Node>>& groups,
                                               Node page_count) {
  std::vector<std::vector<Node>> of(page_count);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const Node page : groups[group]) {
      of[page].push_back(static_cast<Node>(page_count + group));
    }
  }
  return of;
}

}  // namespace

BetaRank::BetaRank(const Population& pages, double epsilon, const BetaParameters& parameters)
    : page_count_(pages.size()),
      is_exact_(epsilon == 0),
      parameters_(parameters),
      kappa_(parameters.kappa_first) {
  weave(pages);
  const PushOptions push{.damping = parameters_.damping,
                         .epsilon = is_exact_ ? kEpsilonOfOwn : epsilon,
                         .link_weights = weights_};
  for (auto& side : pushed_) side.emplace(graph_, push);
}

// A link that goes both ways has weight 2.
void BetaRank::weave(const Population& pages) {
  const Snapshot& links = pages.graph;
  const auto groups = shared_groups(pages);
  const auto groups_of = groups_of_pages(groups, page_count_);
  SnapshotBuilder builder(std::uint64_t{page_count_} + groups.size());
  std::vector<Node> targets;
  for (Node page = 0; page < page_count_; ++page) {
    const auto out = links.successors(page);
    const auto in = links.predecessors(page);
    targets.clear();
    std::ranges::set_union(out, in, std::back_inserter(targets));
    for (const Node target : targets) {
      const bool both =
          std::ranges::binary_search(out, target) && std::ranges::binary_search(in, target);
      weights_.push_back(both ? 2 : 1);
    }
    targets.insert(targets.end(), groups_of[page].begin(), groups_of[page].end());
    weights_.resize(weights_.size() + groups_of[page].size(), 1);
    builder.add(page, targets);
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    builder.add(static_cast<Node>(page_count_ + group), groups[group]);
    weights_.resize(weights_.size() + groups[group].size(), 1);
  }
  graph_ = builder.finish();
}

void BetaRank::add(Node page, bool is_live) {
  const std::size_t side = is_live ? 1 : 0;
  const double before = pushed_[side]->scores()[page];
  pushed_[side]->add(page);
  sources_[side].push_back(page);
  own_masses_[side].push_back(pushed_[side]->scores()[page] - before);
}

// How unlikely the answers are under κ, each page predicted from the others: −log likelihood.
double BetaRank::surprise(double kappa) const {
  const double tested = static_cast<double>(sources_[0].size() + sources_[1].size());
  double sum = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    const auto others_live = static_cast<double>(sources_[1].size() - side);
    const double pi = (others_live + 1) / (tested + 1);
    for (std::size_t i = 0; i < sources_[side].size(); ++i) {
      const Node page = sources_[side][i];
      double masses[2] = {pushed_[0]->scores()[page], pushed_[1]->scores()[page]};
      masses[side] = std::max(0.0, masses[side] - own_masses_[side][i]);
      const double live = (masses[1] + kappa * pi) / (masses[0] + masses[1] + kappa);
      sum -= std::log(side == 1 ? live : 1 - live);
    }
  }
  return sum;
}

bool BetaRank::fit() {
  const double by_rate = surprise(kKappaOfRate);
  double best = std::numeric_limits<double>::infinity();
  for (double kappa = parameters_.kappa_first; kappa < parameters_.kappa_max;
       kappa *= parameters_.kappa_step) {
    const double found = surprise(kappa);
    if (!(found < best)) continue;
    best = found;
    kappa_ = kappa;
  }
  const auto tested = static_cast<double>(sources_[0].size() + sources_[1].size());
  return best < by_rate - parameters_.gain * tested;
}

double BetaRank::rate() const {
  const auto live = static_cast<double>(sources_[1].size());
  return (live + 1) / (live + static_cast<double>(sources_[0].size()) + 2);
}

std::vector<double> BetaRank::exact(const std::vector<Node>& sources) const {
  if (sources.empty()) return std::vector<double>(graph_.node_count());
  std::vector<double> preference(graph_.node_count());
  const auto count = static_cast<double>(sources.size());
  for (const Node page : sources) preference[page] = 1 / count;
  auto scores = pagerank(graph_, {.damping = parameters_.damping,
                                  .iterations_max = kIterationsMax,
                                  .preference = preference,
                                  .dead_ends = DeadEnds::Drop,
                                  .link_weights = weights_})
                    .scores;
  for (double& score : scores) score *= count;
  return scores;
}

BetaRank::Masses BetaRank::masses(Node page) const {
  if (!is_exact_) return {pushed_[1]->scores()[page], pushed_[0]->scores()[page]};
  if (exact_[0].empty()) return {};
  return {exact_[1][page], exact_[0][page]};
}

void BetaRank::score(std::vector<double>& scores) const {
  if (is_exact_) {
    for (std::size_t side = 0; side < 2; ++side) exact_[side] = exact(sources_[side]);
  }
  const double prior = kappa_ * rate();
  for (Node page = 0; page < page_count_; ++page) {
    const auto [live, dead] = masses(page);
    scores[page] = (live + prior) / (live + dead + kappa_);
  }
}

}  // namespace webstrata
