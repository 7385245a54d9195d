// SPDX-License-Identifier: Apache-2.0

// HyperBall (Boldi and Vigna 2013) on HyperLogLog counters (Flajolet et al. 2007).
//
// A counter has m registers. An added node selects one of them by its hash and stores there the
// maximum "number of leading zeros, plus one" of the rest of its hash. So the counter of a union is
// the maximum, register by register, in any order: the result does not depend on threads.
//
// With B_t(v) nodes within t links of v, and B_0 = 1 for v itself, the centrality is a sum of
// counts with positive weights (Abel):
//
//   Σ_t (B_t − B_{t−1}) / t  =  Σ_{t < T} B_t (1/t − 1/(t+1))  +  B_T / T  −  1
//
// A count has the relative standard error e = 1.04 / √m, and standard errors of sums are at most
// the sums of standard errors: so that of a score s is at most e · (s + 1).
// Tested by tests/rank/hyperball_test.cpp.

#include "webstrata/rank/hyperball.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/rank/team.h"

namespace webstrata {
namespace {

constexpr std::uint32_t kRegistersMin = 16, kRegistersMax = 65536;

void check(const HyperBallOptions& options) {
  const std::uint32_t m = options.registers;
  if (std::has_single_bit(m) && m >= kRegistersMin && m <= kRegistersMax) return;
  throw Error(ErrorKind::BadInput, fmt::format("{} registers: give a power of two from {} to {}", m,
                                               kRegistersMin, kRegistersMax));
}

// The estimated count of a counter; small ones by the number of empty registers.
double count_of(const std::uint8_t* registers, std::uint32_t m) {
  std::array<std::uint32_t, 66> with_value = {};
  for (std::uint32_t i = 0; i < m; ++i) ++with_value[registers[i]];
  double inverse = 0;
  for (std::size_t value = 0; value < with_value.size(); ++value) {
    inverse += std::ldexp(with_value[value], -static_cast<int>(value));
  }
  const double alpha = m == 16   ? 0.673
                       : m == 32 ? 0.697
                       : m == 64 ? 0.709
                                 : 0.7213 / (1 + 1.079 / m);
  const double count = alpha * m * m / inverse;
  if (count > 2.5 * m || with_value[0] == 0) return count;
  return m * std::log(static_cast<double>(m) / with_value[0]);
}

class Balls {
 public:
  Balls(const Snapshot& graph, const HyperBallOptions& options)
      : graph_(graph),
        m_(options.registers),
        team_(options.work, graph.link_count() * (1 + m_ / 16)),
        parts_(Parts::by_in_links(graph)),
        now_(std::size_t{graph.node_count()} * m_),
        next_(now_.size()),
        grew_(graph.node_count(), 1),
        grows_(graph.node_count()),
        counts_(graph.node_count(), 1),
        scores_(graph.node_count()) {
    for (Node node = 0; node < graph.node_count(); ++node) add_itself(node, options.seed);
  }

  // From t = `radius` − 1 to t = `radius`. False if no counter grew.
  bool grow(int radius) {
    const double grown = team_.sum(parts_, [&](Node first, Node last) {
      double count = 0;
      for (Node node = first; node < last; ++node) count += grow_node(node, radius);
      return count;
    });
    now_.swap(next_);
    grew_.swap(grows_);
    return grown > 0;
  }

  std::vector<double> scores() {
    for (double& score : scores_) score = std::max(0.0, score);
    return std::move(scores_);
  }

 private:
  [[nodiscard]] std::uint8_t* counter(std::vector<std::uint8_t>& all, Node node) const {
    return all.data() + std::size_t{node} * m_;
  }

  void add_itself(Node node, std::uint64_t seed) {
    const std::uint64_t hash = Random(seed ^ (std::uint64_t{node} << 32 | node)).next();
    const std::uint64_t rest = hash >> std::countr_zero(m_);
    const int zeros = std::countl_zero(rest) - std::countr_zero(m_);
    counter(now_, node)[hash & (m_ - 1)] = static_cast<std::uint8_t>(zeros + 1);
  }

  // What is new in a counter is `radius` links away. Returns 1 if something is.
  int grow_node(Node node, int radius) {
    std::uint8_t* const own = counter(next_, node);
    const std::uint8_t* const before = counter(now_, node);
    std::copy_n(before, m_, own);
    for (const Node source : graph_.predecessors(node)) {
      if (grew_[source] != 0) join(own, counter(now_, source));
    }
    grows_[node] = !std::equal(own, own + m_, before);
    if (grows_[node] == 0) return 0;
    const double count = count_of(own, m_);
    scores_[node] += (count - counts_[node]) / radius;
    counts_[node] = count;
    return 1;
  }

  void join(std::uint8_t* own, const std::uint8_t* other) const {
    for (std::uint32_t i = 0; i < m_; ++i) own[i] = std::max(own[i], other[i]);
  }

  const Snapshot& graph_;
  std::uint32_t m_;
  Team team_;
  Parts parts_;
  std::vector<std::uint8_t> now_, next_;    // m registers per node
  std::vector<std::uint8_t> grew_, grows_;  // in the previous pass, and in this one
  std::vector<double> counts_;              // of `now_`
  std::vector<double> scores_;
};

}  // namespace

HyperBallResult hyperball(const Snapshot& graph, const HyperBallOptions& options) {
  check(options);
  graph.prepare_predecessors(options.work);
  HyperBallResult result;
  result.standard_error = 1.04 / std::sqrt(options.registers);
  Balls balls(graph, options);
  do {
    if (options.work.progress) {
      options.work.progress({"counting", static_cast<std::uint64_t>(result.passes), 0, "passes"});
    }
    ++result.passes;
  } while (balls.grow(result.passes));
  result.scores = balls.scores();
  return result;
}

}  // namespace webstrata
