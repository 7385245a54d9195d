// SPDX-License-Identifier: Apache-2.0

// Both steps pull: a node gathers from its neighbours and writes only its own score, so threads
// never conflict. Literature: J. Kleinberg, Authoritative sources in a hyperlinked environment,
// 1999.
// Tested by tests/rank/hits_test.cpp and tests/rank/peers_test.py.

#include "webstrata/rank/hits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/rank/checks.h"
#include "webstrata/rank/extrapolation.h"
#include "webstrata/rank/gather.h"
#include "webstrata/rank/row_order.h"
#include "webstrata/rank/team.h"

namespace webstrata {
namespace {

void check(const Snapshot& graph, const HitsOptions& options) {
  if (options.iterations < 0) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} iterations of HITS: give 0 or more", options.iterations));
  }
  if (!(options.tolerance >= 0)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("tolerance {} of HITS: give 0 or more", options.tolerance));
  }
  const auto check_start = [&](std::string_view name, std::span<const double> start) {
    if (start.empty()) return;
    check_size(name, start.size(), graph.node_count(), "nodes");
    check_values(name, start);
  };
  check_start("start_hubs", options.start_hubs);
  check_start("start_authorities", options.start_authorities);
  if (!options.removed.empty()) {
    check_size("removed", options.removed.size(), graph.node_count(), "nodes");
  }
}

class Hits {
  using Changes = Extrapolation<3>;

 public:
  Hits(const Snapshot& graph, const HitsOptions& options)
      : graph_(graph),
        options_(options),
        team_(options.work, graph.link_count()),
        in_parts_(Parts::by_in_links(graph)),
        out_parts_(Parts::by_out_links(graph)),
        before_(graph.node_count()),
        changes_(is_accelerated() ? graph.node_count() : 0) {
    result_.hubs.assign(graph.node_count(), 1);
    result_.authorities.assign(graph.node_count(), 1);
    in_order_ = order(in_parts_, [&](Node node) { return graph_.in_degree(node); });
    out_order_ = order(out_parts_, [&](Node node) { return graph_.out_degree(node); });
    start();
  }

  HitsResult run() {
    for (int done = 0; done < options_.iterations; ++done) {
      team_.tell("hits", done, options_.iterations);
      if (changes_.is_full()) extrapolate();
      std::swap(before_, result_.hubs);
      pull_authorities(before_);
      const double factor = length_to_one(pull_hubs());
      ++result_.iterations;
      result_.change = is_accelerated() ? scale_hubs<true>(factor) : scale_hubs<false>(factor);
      result_.converged = result_.change <= options_.tolerance;
      if (options_.tolerance > 0 && result_.converged) break;
    }
    normalise(in_parts_, result_.authorities);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_removed(Node node) const {
    return !options_.removed.empty() && options_.removed[node] != 0;
  }
  // A number of iterations without a tolerance means exactly these iterations.
  [[nodiscard]] bool is_accelerated() const { return options_.tolerance > 0; }

  // Removed nodes begin with 0 and keep it, so their links never count.
  void start() {
    const auto take = [&](std::span<const double> given, std::vector<double>& scores) {
      if (!given.empty()) scores.assign(given.begin(), given.end());
      for (Node node = 0; node < graph_.node_count(); ++node) {
        if (is_removed(node)) scores[node] = 0;
      }
      normalise(in_parts_, scores);
    };
    take(options_.start_authorities, result_.authorities);
    take(options_.start_hubs, result_.hubs);
    if (options_.start_hubs.empty() && !options_.start_authorities.empty()) {
      pull_hubs();
      normalise(out_parts_, result_.hubs);
    }
  }

  // Not of length 1: hubs are scaled in each iteration, which is enough.
  void pull_authorities(const std::vector<double>& hubs) {
    pull(
        in_parts_, in_order_, [&](Node node) { return graph_.predecessors(node); }, hubs,
        result_.authorities);
  }
  // Returns the sum of their squares.
  double pull_hubs() {
    return pull(
        out_parts_, out_order_, [&](Node node) { return graph_.successors(node); },
        result_.authorities, result_.hubs);
  }

  template <typename Degree>
  std::vector<Node> order(const Parts& parts, const Degree& degree) {
    std::vector<Node> nodes(graph_.node_count());
    team_.each(parts.count(), [&](std::size_t part) {
      const Node first = parts.first(part);
      order_by_length(first, std::span(nodes).subspan(first, parts.last(part) - first), degree);
    });
    return nodes;
  }

  template <typename Neighbours>
  double pull(const Parts& parts, const std::vector<Node>& order, Neighbours neighbours,
              const std::vector<double>& from, std::vector<double>& to) {
    return team_.sum(parts, [&](Node first, Node last) {
      double sum = 0;
      for (const Node node : std::span(order).subspan(first, last - first)) {
        const double score = is_removed(node) ? 0 : gather(neighbours(node), from.data());
        to[node] = score;
        sum += score * score;
      }
      return sum;
    });
  }

  void normalise(const Parts& parts, std::vector<double>& scores) {
    const double factor = length_to_one(team_.sum(parts, [&](Node first, Node last) {
      double sum = 0;
      for (Node node = first; node < last; ++node) sum += scores[node] * scores[node];
      return sum;
    }));
    team_.each(parts.count(), [&](std::size_t part) {
      for (Node node = parts.first(part); node < parts.last(part); ++node) scores[node] *= factor;
    });
  }

  static double length_to_one(double squares) { return squares == 0 ? 1 : 1 / std::sqrt(squares); }

  // Returns by how much the hubs changed.
  template <bool kKeepsChanges>
  double scale_hubs(double factor) {
    ShortFloat* const changes = changes_.next();
    const double sum_of_changes = team_.sum(out_parts_, [&](Node first, Node last) {
      double sum = 0;
      for (Node node = first; node < last; ++node) {
        result_.hubs[node] *= factor;
        const double change = result_.hubs[node] - before_[node];
        if constexpr (kKeepsChanges) changes[node] = ShortFloat(change);
        sum += std::abs(change);
      }
      return sum;
    });
    if constexpr (kKeepsChanges) changes_.advance();
    return sum_of_changes;
  }

  // Near the end scaling hardly matters, and the iteration is nearly linear. A guess stays in the
  // space of the iterates so far and never below 0, so it has the same limit.
  void extrapolate() {
    std::vector<Changes::Gram> parts(out_parts_.count());
    team_.each(parts.size(), [&](std::size_t part) {
      parts[part] = changes_.gram(out_parts_.first(part), out_parts_.last(part));
    });
    Changes::Gram all;
    for (const auto& part : parts) all += part;
    const auto weights = Changes::weights(all);
    team_.each(parts.size(), [&](std::size_t part) {
      for (Node node = out_parts_.first(part); node < out_parts_.last(part); ++node) {
        result_.hubs[node] = std::max(0.0, result_.hubs[node] - changes_.step(node, weights));
      }
    });
    normalise(out_parts_, result_.hubs);
    changes_.clear();
  }

  const Snapshot& graph_;
  const HitsOptions& options_;
  Team team_;
  Parts in_parts_;
  Parts out_parts_;
  std::vector<Node> in_order_;  // in which each part is processed (row_order.h)
  std::vector<Node> out_order_;
  std::vector<double> before_;
  Changes changes_;  // of the hubs
  HitsResult result_;
};

}  // namespace

HitsResult hits(const Snapshot& graph, const HitsOptions& options) {
  check(graph, options);
  graph.prepare_predecessors(options.work);
  return Hits(graph, options).run();
}

}  // namespace webstrata
