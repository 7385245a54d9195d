// Both steps pull: a node gathers from its neighbours and writes its own score only, so threads
// never meet. Literature: J. Kleinberg, Authoritative sources in a hyperlinked environment, 1999.
// Tested by tests/rank/hits_test.cpp and tests/rank/peers_test.py.

#include "webstrata/rank/hits.h"

#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/rank/checks.h"
#include "webstrata/rank/gather.h"
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
 public:
  Hits(const Snapshot& graph, const HitsOptions& options)
      : graph_(graph),
        options_(options),
        team_(options.work, graph.link_count()),
        in_parts_(Parts::by_in_links(graph)),
        out_parts_(Parts::by_out_links(graph)),
        before_(graph.node_count()) {
    result_.hubs.assign(graph.node_count(), 1);
    result_.authorities.assign(graph.node_count(), 1);
    start();
  }

  HitsResult run() {
    for (int done = 0; done < options_.iterations; ++done) {
      team_.tell("hits", done, options_.iterations);
      std::swap(before_, result_.hubs);
      pull_authorities(before_);
      pull_hubs();
      ++result_.iterations;
      result_.change = change();
      result_.converged = result_.change <= options_.tolerance;
      if (options_.tolerance > 0 && result_.converged) break;
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_removed(Node node) const {
    return !options_.removed.empty() && options_.removed[node] != 0;
  }

  // Removed nodes begin with 0 and keep it: so their links count nowhere.
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
    if (options_.start_hubs.empty() && !options_.start_authorities.empty()) pull_hubs();
  }

  void pull_authorities(const std::vector<double>& hubs) {
    pull(
        in_parts_, [&](Node node) { return graph_.predecessors(node); }, hubs, result_.authorities);
  }
  void pull_hubs() {
    pull(
        out_parts_, [&](Node node) { return graph_.successors(node); }, result_.authorities,
        result_.hubs);
  }

  template <typename Neighbours>
  void pull(const Parts& parts, Neighbours neighbours, const std::vector<double>& from,
            std::vector<double>& to) {
    const double squares = team_.sum(parts, [&](Node first, Node last) {
      double sum = 0;
      for (Node node = first; node < last; ++node) {
        to[node] = is_removed(node) ? 0 : gather(neighbours(node), from.data());
        sum += to[node] * to[node];
      }
      return sum;
    });
    scale(parts, squares, to);
  }

  void normalise(const Parts& parts, std::vector<double>& scores) {
    const double squares = team_.sum(parts, [&](Node first, Node last) {
      double sum = 0;
      for (Node node = first; node < last; ++node) sum += scores[node] * scores[node];
      return sum;
    });
    scale(parts, squares, scores);
  }

  void scale(const Parts& parts, double squares, std::vector<double>& scores) {
    if (squares == 0) return;
    const double factor = 1 / std::sqrt(squares);
    team_.each(parts.count(), [&](std::size_t part) {
      for (Node node = parts.first(part); node < parts.last(part); ++node) scores[node] *= factor;
    });
  }

  double change() {
    return team_.sum(out_parts_, [&](Node first, Node last) {
      double sum = 0;
      for (Node node = first; node < last; ++node) {
        sum += std::abs(result_.hubs[node] - before_[node]);
      }
      return sum;
    });
  }

  const Snapshot& graph_;
  const HitsOptions& options_;
  Team team_;
  Parts in_parts_;
  Parts out_parts_;
  std::vector<double> before_;
  HitsResult result_;
};

}  // namespace

HitsResult hits(const Snapshot& graph, const HitsOptions& options) {
  check(graph, options);
  graph.prepare_predecessors(options.work);
  return Hits(graph, options).run();
}

}  // namespace webstrata
