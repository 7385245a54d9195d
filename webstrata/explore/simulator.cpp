// SPDX-License-Identifier: Apache-2.0

// The simulator drives the same Explorer as a real crawl, and the explorer sees a page only after
// it was crawled. The value of the crawl is kept by a function of sets, which is checked to be
// monotone. Cancellation is looked at every 256 steps.
// Tested by tests/explore/simulator_test.cpp.

#include "webstrata/explore/simulator.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/explore/url_grouping.h"

namespace webstrata {
namespace {

constexpr std::uint64_t kStepsBetweenChecks = 256;

void check_scores(std::span<const double> scores, std::uint64_t wanted, std::string_view what) {
  if (scores.size() != wanted) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} scores for {} {}", scores.size(), wanted, what));
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (std::isfinite(scores[i]) && scores[i] >= 0) continue;
    throw Error(
        ErrorKind::BadInput,
        fmt::format("score {} of {} is {}: scores are numbers of at least 0", i, what, scores[i]));
  }
}

// The value of a crawl so far; it must not fall.
class Worth {
 public:
  explicit Worth(SetFunction value) : value_(std::move(value)) {}

  double add(Node node, double score) {
    const double now = value_(node, score);
    if (!(now >= so_far_)) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("the value of the crawl fell from {} to {} with node {}: values of "
                              "sets must be monotone",
                              so_far_, now, node));
    }
    return so_far_ = now;
  }
  [[nodiscard]] double so_far() const noexcept { return so_far_; }

 private:
  SetFunction value_;
  double so_far_ = 0;
};

void check(const SimulatedWeb& web, std::span<const Node> seeds, const ExploreOptions& options) {
  if (seeds.empty()) throw Error(ErrorKind::BadInput, "an exploration needs at least one seed");
  if (options.refresh == 0) {
    throw Error(ErrorKind::BadInput, "refresh 0: at least one page is chosen at a time");
  }
  for (const Node seed : seeds) {
    if (seed >= web.graph().node_count()) {
      throw Error(ErrorKind::BadInput, fmt::format("seed {} is not in the graph", seed));
    }
  }
}

ExplorerOptions explorer_options(const SimulatedWeb& web, const ExploreOptions& options) {
  ExplorerOptions made{options.estimator, options.strategy, web.groups()};
  made.estimator.budget = options.budget;
  made.estimator.truth = web.node_scores();
  return made;
}

}  // namespace

SimulatedWeb::SimulatedWeb(Snapshot graph, std::vector<double> node_scores,
                           std::vector<double> link_scores)
    : graph_(std::move(graph)),
      node_scores_(std::move(node_scores)),
      link_scores_(std::move(link_scores)),
      groups_(std::make_shared<std::vector<Group>>(url_groups_of(graph_))) {
  if (link_scores_.empty()) link_scores_.resize(graph_.link_count());
  check_scores(node_scores_, graph_.node_count(), "nodes");
  check_scores(link_scores_, graph_.link_count(), "links");
  if (!groups_->empty()) level_count_ = kUrlGroupLevels;
}

CrawledPage SimulatedWeb::crawl(Node node, std::vector<KnownLink>& buffer) const {
  buffer.clear();
  std::uint64_t link = graph_.first_link(node);
  for (const Node target : graph_.successors(node))
    buffer.push_back({target, link_scores_[link++]});
  return {node_scores_[node], buffer};
}

GroupLevels SimulatedWeb::groups() const {
  return {level_count_, [groups = groups_, count = level_count_](Node node, std::span<Group> out) {
            std::copy_n(groups->begin() + static_cast<std::ptrdiff_t>(node * count), count,
                        out.begin());
          }};
}

std::string_view to_string(ExploreEnd end) noexcept {
  return end == ExploreEnd::Budget ? "budget spent" : "frontier empty";
}

double ExploreRun::value_at(std::uint64_t step) const noexcept {
  if (step == 0 || values.empty()) return seeds_value;
  return values[std::min<std::uint64_t>(step, values.size()) - 1];
}

ExploreRun explore(const SimulatedWeb& web, std::string_view estimator, std::span<const Node> seeds,
                   const ExploreOptions& options) {
  check(web, seeds, options);
  Explorer explorer(estimator, explorer_options(web, options));
  explorer.begin(seeds);
  Worth worth(options.value());
  std::vector<Node> nodes;
  std::vector<KnownLink> buffer;
  ExploreRun run;
  const auto crawl = [&](Node node) {
    const CrawledPage page = web.crawl(node, buffer);
    explorer.crawled(node, page.score, page.links);
    worth.add(node, page.score);
    return page.score;
  };
  explorer.next_seeds(nodes);
  for (const Node node : nodes) crawl(node);
  run.seeds_value = worth.so_far();
  std::uint64_t next_check = kStepsBetweenChecks;
  while (run.order.size() < options.budget) {
    nodes.clear();
    const std::uint64_t left = options.budget - run.order.size();
    if (explorer.next(std::min(options.refresh, left), nodes) == 0) {
      run.ended = ExploreEnd::EmptyFrontier;
      break;
    }
    for (const Node node : nodes) {
      run.order.push_back(node);
      run.scores.push_back(crawl(node));
      run.values.push_back(worth.so_far());
    }
    if (run.order.size() >= next_check) {
      options.work.check_cancelled();
      next_check += kStepsBetweenChecks;
    }
  }
  run.frontier_end = explorer.known().frontier().size();
  return run;
}

}  // namespace webstrata
