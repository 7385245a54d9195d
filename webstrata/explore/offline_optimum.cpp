// SPDX-License-Identifier: Apache-2.0

// A crawl of n pages is a set of n nodes in which every node is linked from a seed or from another
// node of the set, without circles. So the optimum is the heaviest such set.
//
// Four bounds, all of relaxed problems:
// - A page at distance d from the seeds needs a page at each smaller distance. For every largest
//   distance D: the best page of each distance up to D, and the best of the rest (level_bound).
// - Lagrange: "x_v is at most the sum of x_u over all pages u that link to v" is true for every
//   crawl. With a price p_v >= 0 on each of these conditions, the n pages with the largest
//   s_v - p_v + sum of p_w over links v -> w have at least the value of the best crawl, whatever
//   the prices are. Subgradient steps look for prices that make this small (Held and Karp 1971).
// - Every page needs the pages that all paths to it pass: the best part of the tree of dominators
//   (dominator_bound.h), exact where every page has one path.
// - Inside the search, the first one for what is left of the graph.
//
// A step of the search includes or excludes the best page of the frontier, including first. Nodes
// are numbered by score, so sets are words of 64 bits and the best nodes of a set its lowest bits.
// Pages that lead to nothing that scores are left out before all that.
// Tested by tests/explore/offline_optimum_test.cpp.

#include "webstrata/explore/offline_optimum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>

#include "webstrata/explore/dominator_bound.h"

namespace webstrata {
namespace {

constexpr std::size_t kSearchedMax = 64;
constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();
constexpr double kRounding = 1e-9;

// The pages that matter, numbered by score, best first.
struct CrawlProblem {
  std::vector<Node> nodes;
  std::vector<double> scores;
  std::vector<std::uint32_t> distances;             // from the seeds: 1 if a seed links to it
  std::vector<std::vector<std::uint32_t>> targets;  // links to others that no seed links to
  std::uint64_t budget = 0;

  [[nodiscard]] std::size_t size() const noexcept { return nodes.size(); }
  [[nodiscard]] bool is_linked_by_seed(std::size_t place) const { return distances[place] == 1; }
};

// Links from the nearest of `starts`, along successors or predecessors; `passes` says which nodes
// may be reached.
template <typename Neighbours, typename Passes>
std::vector<std::uint32_t> distances_from(Node count, std::span<const Node> starts,
                                          Neighbours neighbours, Passes passes) {
  std::vector<std::uint32_t> distances(count, kUnreached);
  std::queue<Node> queue;
  for (const Node start : starts) {
    if (distances[start] == 0) continue;
    distances[start] = 0;
    queue.push(start);
  }
  for (; !queue.empty(); queue.pop()) {
    const Node node = queue.front();
    for (const Node next : neighbours(node)) {
      if (distances[next] != kUnreached || !passes(next)) continue;
      distances[next] = distances[node] + 1;
      queue.push(next);
    }
  }
  return distances;
}

CrawlProblem problem_of(const SimulatedWeb& web, std::span<const Node> seeds,
                        const OptimumOptions& options) {
  const Snapshot& graph = web.graph();
  const Node count = graph.node_count();
  std::vector<double> scores(web.node_scores().begin(), web.node_scores().end());
  if (options.value == CrawlValue::Count) {
    for (double& score : scores) score = score > 0 ? 1 : 0;
  }
  const auto from_seeds = distances_from(
      count, seeds, [&](Node node) { return graph.successors(node); }, [](Node) { return true; });
  const auto is_new = [&](Node node) {
    return from_seeds[node] != 0 && from_seeds[node] != kUnreached;
  };
  std::vector<Node> scoring;
  for (Node node = 0; node < count; ++node) {
    if (is_new(node) && scores[node] > 0) scoring.push_back(node);
  }
  const auto to_score = distances_from(
      count, scoring, [&](Node node) { return graph.predecessors(node); }, is_new);
  CrawlProblem problem;
  problem.budget = options.budget;
  for (Node node = 0; node < count; ++node) {
    if (!is_new(node) || to_score[node] == kUnreached) continue;
    if (std::uint64_t{from_seeds[node]} + to_score[node] <= options.budget) {
      problem.nodes.push_back(node);
    }
  }
  std::ranges::stable_sort(problem.nodes, std::ranges::greater(),
                           [&](Node node) { return scores[node]; });
  std::vector<std::uint32_t> places(count, kUnreached);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    places[problem.nodes[i]] = static_cast<std::uint32_t>(i);
    problem.scores.push_back(scores[problem.nodes[i]]);
    problem.distances.push_back(from_seeds[problem.nodes[i]]);
  }
  problem.targets.resize(problem.size());
  for (std::size_t i = 0; i < problem.size(); ++i) {
    for (const Node target : graph.successors(problem.nodes[i])) {
      const std::uint32_t place = places[target];
      if (place != kUnreached && place != i && !problem.is_linked_by_seed(place)) {
        problem.targets[i].push_back(place);
      }
    }
  }
  return problem;
}

// ---- bounds -------------------------------------------------------------------------------------

// Places must be by descending score. For each largest distance: its pages in order; the first one
// of each distance is needed, the others compete for what is left of the budget.
double level_bound(const CrawlProblem& problem) {
  std::uint32_t deepest = 0;
  for (const std::uint32_t distance : problem.distances) deepest = std::max(deepest, distance);
  double best = 0;
  for (std::uint32_t depth = 1; depth <= deepest && depth <= problem.budget; ++depth) {
    std::uint64_t left = problem.budget - depth;
    double sum = 0;
    std::vector<bool> is_met(depth + 1);
    for (std::size_t i = 0; i < problem.size(); ++i) {
      const std::uint32_t distance = problem.distances[i];
      if (distance > depth) continue;
      const bool is_needed = !is_met[distance];
      is_met[distance] = true;
      if (!is_needed && left == 0) continue;
      if (!is_needed) --left;
      sum += problem.scores[i];
    }
    best = std::max(best, sum);
  }
  return best;
}

double tree_bound(const CrawlProblem& problem) {
  std::vector<bool> is_first;
  for (std::size_t i = 0; i < problem.size(); ++i) is_first.push_back(problem.is_linked_by_seed(i));
  return dominator_bound(problem.scores, is_first, problem.targets, problem.budget);
}

class Prices {
 public:
  explicit Prices(const CrawlProblem& problem)
      : problem_(problem), prices_(problem.size()), order_(problem.size()) {}

  // The least bound that was seen. `found` is the value of a crawl.
  double bound(double found, int rounds) {
    double best = std::numeric_limits<double>::infinity();
    double eagerness = 1;
    int without_gain = 0;
    for (int round = 0; round < rounds; ++round) {
      const double now = value_of_choice();
      if (now < best - 1e-12 * best) {
        best = now;
        without_gain = 0;
      } else if (++without_gain == 8) {
        eagerness /= 2;
        without_gain = 0;
      }
      if (best <= found * (1 + kRounding) || !step(eagerness, now - found)) break;
    }
    return best;
  }

 private:
  // Chooses the pages with the largest values under the present prices, and returns their sum.
  double value_of_choice() {
    const std::size_t count = problem_.size();
    values_.assign(problem_.scores.begin(), problem_.scores.end());
    for (std::size_t i = 0; i < count; ++i) {
      values_[i] -= prices_[i];
      for (const std::uint32_t target : problem_.targets[i]) values_[i] += prices_[target];
    }
    for (std::size_t i = 0; i < count; ++i) order_[i] = static_cast<std::uint32_t>(i);
    const auto taken = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(problem_.budget, count));
    if (taken < static_cast<std::ptrdiff_t>(count)) {
      std::nth_element(order_.begin(), order_.begin() + taken, order_.end(),
                       [&](std::uint32_t a, std::uint32_t b) {
                         return values_[a] != values_[b] ? values_[a] > values_[b] : a < b;
                       });
    }
    is_chosen_.assign(count, 0);
    double sum = 0;
    for (std::ptrdiff_t i = 0; i < taken; ++i) {
      const std::uint32_t place = order_[static_cast<std::size_t>(i)];
      if (values_[place] <= 0) continue;
      is_chosen_[place] = 1;
      sum += values_[place];
    }
    return sum;
  }

  // Raises the price of pages that were chosen without a page that links to them, and lowers that
  // of pages with more than they need. False if no condition is broken: the bound is reached.
  bool step(double eagerness, double gap) {
    slope_.assign(problem_.size(), 0);
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      if (is_chosen_[i] == 0) continue;
      if (!problem_.is_linked_by_seed(i)) slope_[i] -= 1;
      for (const std::uint32_t target : problem_.targets[i]) slope_[target] += 1;
    }
    double length = 0;
    bool is_broken = false;
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      if (prices_[i] == 0 && slope_[i] > 0) slope_[i] = 0;
      length += slope_[i] * slope_[i];
      is_broken = is_broken || slope_[i] != 0;
    }
    if (!is_broken) return false;
    const double stride = eagerness * std::max(gap, 0.0) / length;
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      prices_[i] = std::max(0.0, prices_[i] - stride * slope_[i]);
    }
    return true;
  }

  const CrawlProblem& problem_;
  std::vector<double> prices_;
  std::vector<std::uint32_t> order_;
  std::vector<double> values_;
  std::vector<double> slope_;
  std::vector<char> is_chosen_;
};

// ---- search -------------------------------------------------------------------------------------

using Places = std::uint64_t;  // a set of places

class BestSet {
 public:
  BestSet(const CrawlProblem& problem, double found, std::uint64_t sets_max)
      : problem_(problem), best_(found), sets_left_(sets_max), targets_(problem.size()) {
    for (std::size_t i = 0; i < problem.size(); ++i) {
      if (problem.is_linked_by_seed(i)) first_ |= Places{1} << i;
      for (const std::uint32_t target : problem.targets[i]) targets_[i] |= Places{1} << target;
    }
  }

  // False if it gave up.
  bool search() {
    descend(0, first_, 0, problem_.budget, 0);
    return sets_left_ > 0;
  }
  [[nodiscard]] double best() const noexcept { return best_; }
  // Empty if nothing was better than what was found before.
  [[nodiscard]] Places chosen() const noexcept { return chosen_; }

 private:
  static std::size_t first_of(Places places) {
    return static_cast<std::size_t>(std::countr_zero(places));
  }
  [[nodiscard]] double sum_of_best(Places places, std::uint64_t count) const {
    double sum = 0;
    for (; places != 0 && count > 0; places &= places - 1, --count) {
      sum += problem_.scores[first_of(places)];
    }
    return sum;
  }

  // Of what can be added to `taken` without the refused ones: level_bound for this part.
  [[nodiscard]] double bound(Places taken, Places frontier, Places refused,
                             std::uint64_t left) const {
    Places seen = frontier;
    Places level = frontier;
    Places needed = 0;
    double best = 0;
    for (std::uint64_t depth = 1; level != 0 && depth <= left; ++depth) {
      needed |= level & (~level + 1);
      best = std::max(best, sum_of_best(needed, depth) + sum_of_best(seen & ~needed, left - depth));
      Places next = 0;
      for (Places rest = level; rest != 0; rest &= rest - 1) next |= targets_[first_of(rest)];
      level = next & ~seen & ~taken & ~refused;
      seen |= level;
    }
    return best;
  }

  void descend(Places taken, Places frontier, Places refused, std::uint64_t left, double value) {
    if (value > best_ * (1 + kRounding)) {
      best_ = value;
      chosen_ = taken;
    }
    while (left > 0 && frontier != 0) {
      if (sets_left_ == 0 || --sets_left_ == 0) return;
      if (value + bound(taken, frontier, refused, left) <= best_ * (1 + kRounding)) return;
      const std::size_t place = first_of(frontier);
      const Places one = Places{1} << place;
      frontier &= ~one;
      descend(taken | one, (frontier | targets_[place]) & ~taken & ~one & ~refused, refused,
              left - 1, value + problem_.scores[place]);
      refused |= one;
    }
  }

  const CrawlProblem& problem_;
  double best_;
  std::uint64_t sets_left_;
  std::vector<Places> targets_;
  Places first_ = 0;
  Places chosen_ = 0;
};

// ---- the whole ----------------------------------------------------------------------------------

std::vector<Node> ordered(const CrawlProblem& problem, const std::vector<bool>& is_taken) {
  std::vector<Node> order;
  std::vector<bool> is_open(problem.size());
  std::vector<std::size_t> open;
  const auto add = [&](std::size_t place) {
    if (!is_taken[place] || is_open[place]) return;
    is_open[place] = true;
    open.push_back(place);
  };
  for (std::size_t i = 0; i < problem.size(); ++i) {
    if (problem.is_linked_by_seed(i)) add(i);
  }
  for (std::size_t next = 0; next < open.size(); ++next) {
    order.push_back(problem.nodes[open[next]]);
    for (const std::uint32_t target : problem.targets[open[next]]) add(target);
  }
  return order;
}

// Greedy with true scores.
void start_from_oracle(const SimulatedWeb& web, std::span<const Node> seeds,
                       const OptimumOptions& options, OfflineOptimum& optimum) {
  ExploreOptions oracle{.budget = options.budget};
  if (options.value == CrawlValue::Count) oracle.value = count_of_scores;
  ExploreRun run = explore(web, "oracle", seeds, oracle);
  optimum.value = run.value_at(options.budget) - run.seeds_value;
  optimum.crawl = std::move(run.order);
}

void search(const CrawlProblem& problem, std::uint64_t sets_max, OfflineOptimum& optimum) {
  BestSet best(problem, optimum.value, sets_max);
  const bool is_done = best.search();
  if (best.chosen() != 0) {
    std::vector<bool> is_taken(problem.size());
    for (std::size_t i = 0; i < problem.size(); ++i) is_taken[i] = (best.chosen() >> i & 1) != 0;
    optimum.value = best.best();
    optimum.crawl = ordered(problem, is_taken);
  }
  if (is_done) optimum.bound = optimum.value;
}

}  // namespace

OfflineOptimum offline_optimum(const SimulatedWeb& web, std::span<const Node> seeds,
                               const OptimumOptions& options) {
  OfflineOptimum optimum;
  start_from_oracle(web, seeds, options, optimum);
  const CrawlProblem problem = problem_of(web, seeds, options);
  if (problem.size() <= options.budget) {
    for (const double score : problem.scores) optimum.bound += score;
    if (optimum.bound > optimum.value * (1 + kRounding)) {
      optimum.crawl = ordered(problem, std::vector<bool>(problem.size(), true));
    }
    optimum.value = optimum.bound;
    optimum.is_exact = true;
    return optimum;
  }
  optimum.bound = std::min({level_bound(problem), tree_bound(problem),
                            Prices(problem).bound(optimum.value, options.rounds)});
  if (problem.size() <= kSearchedMax && optimum.bound > optimum.value * (1 + kRounding)) {
    search(problem, options.sets_max, optimum);
  }
  optimum.bound = std::max(optimum.bound, optimum.value);
  optimum.is_exact = optimum.bound <= optimum.value * (1 + kRounding);
  return optimum;
}

}  // namespace webstrata
