// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/precision_test.cpp.

#include "webstrata/explore/precision.h"

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// One crawl, and one estimator that follows it as if it were its own.
std::vector<double> losses_along(const SimulatedWeb& web, const ExploreRun& oracle,
                                 std::span<const Node> seeds, const Contender& contender,
                                 std::uint64_t budget, const WorkOptions& work) {
  EstimatorOptions options = contender.options;
  options.budget = budget;
  options.truth = web.node_scores();
  Explorer watcher(contender.estimator, {options, contender.strategy, web.groups()});
  watcher.begin(seeds);
  std::vector<Node> nodes;
  std::vector<KnownLink> buffer;
  const auto crawl = [&](Node node) {
    const CrawledPage page = web.crawl(node, buffer);
    watcher.crawled(node, page.score, page.links);
  };
  watcher.next_seeds(nodes);
  for (const Node node : nodes) crawl(node);
  std::vector<double> losses;
  for (std::size_t step = 0; step < oracle.order.size(); ++step) {
    if (step % 256 == 0) work.check_cancelled();
    nodes.clear();
    watcher.estimator().best(1, nodes);
    losses.push_back(oracle.scores[step] - web.node_scores()[nodes.at(0)]);
    crawl(oracle.order[step]);
  }
  return losses;
}

std::vector<double> rolling_mean(const std::vector<double>& values, std::uint64_t window) {
  std::vector<double> means;
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    if (i >= window) sum -= values[i - window];
    means.push_back(sum / static_cast<double>(std::min<std::uint64_t>(i + 1, window)));
  }
  return means;
}

}  // namespace

std::vector<PrecisionCurve> precision_on_oracle_crawl(const SimulatedWeb& web,
                                                      std::span<const Node> seeds,
                                                      const std::vector<Contender>& contenders,
                                                      std::uint64_t budget, std::uint64_t window,
                                                      const WorkOptions& work) {
  if (window == 0) throw Error(ErrorKind::BadInput, "a window has at least one step");
  const ExploreRun oracle = explore(web, "oracle", seeds, {.budget = budget});
  std::vector<PrecisionCurve> curves(contenders.size());
  run_tasks(contenders.size(), work, "precision", [&](std::size_t i) {
    curves[i] = {
        contenders[i].label,
        rolling_mean(losses_along(web, oracle, seeds, contenders[i], budget, work), window)};
  });
  return curves;
}

}  // namespace webstrata
