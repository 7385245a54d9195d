// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/explorer_test.cpp.

#include "webstrata/explore/explorer.h"

#include "webstrata/base/error.h"

namespace webstrata {

Explorer::Explorer(std::string_view estimator, ExplorerOptions options)
    : known_(std::move(options.groups)),
      estimator_(make_estimator(estimator, known_, options.estimator)),
      strategy_(make_strategy(options.strategy)) {}

void Explorer::begin(std::span<const Node> seeds) {
  if (known_.size() > 0) throw Error(ErrorKind::BadInput, "an exploration begins only once");
  for (const Node node : seeds) {
    if (known_.is_known(node)) continue;
    discover(node);
    seeds_.push_back(node);
  }
  estimator_->begin(seeds_);
}

void Explorer::discover(Node node) {
  if (known_.is_known(node)) return;
  known_.discover(node);
  estimator_->came(node);
}

void Explorer::claim(Node node) {
  const std::size_t place = known_.claim(node);
  estimator_->left(node, place);
}

// Seeds that are no longer on the frontier are skipped.
void Explorer::name_seeds(std::size_t count, std::vector<Node>& nodes) {
  for (; count > 0 && seeds_named_ < seeds_.size(); ++seeds_named_) {
    const Node seed = seeds_[seeds_named_];
    if (!known_.is_frontier(seed)) continue;
    claim(seed);
    nodes.push_back(seed);
    --count;
  }
}

void Explorer::next_seeds(std::vector<Node>& nodes) { name_seeds(seeds_.size(), nodes); }

// Appends seeds, which are claimed at once, and then others, which are not claimed yet. Returns
// where the others begin.
std::size_t Explorer::choose(std::size_t count, std::vector<Node>& nodes) {
  const std::size_t before = nodes.size();
  name_seeds(count, nodes);
  const std::size_t first = nodes.size();
  count -= first - before;
  if (count > 0 && !known_.frontier().empty()) strategy_->choose(*estimator_, count, nodes);
  return first;
}

std::size_t Explorer::next(std::size_t count, std::vector<Node>& nodes) {
  const std::size_t before = nodes.size();
  const std::size_t first = choose(count, nodes);
  for (std::size_t i = first; i < nodes.size(); ++i) claim(nodes[i]);
  return nodes.size() - before;
}

std::size_t Explorer::next(std::size_t count, std::vector<Choice>& choices) {
  std::vector<Node> nodes;
  const std::size_t first = choose(count, nodes);
  for (std::size_t i = 0; i < first; ++i) choices.push_back({.node = nodes[i]});
  for (std::size_t i = first; i < nodes.size(); ++i) {
    choices.push_back({.node = nodes[i], .grounds = estimator_->grounds(nodes[i])});
    claim(nodes[i]);
  }
  return nodes.size();
}

const CrawlStep& Explorer::crawled(Node node, double score, std::span<const KnownLink> links) {
  discover(node);
  if (known_.is_frontier(node)) claim(node);
  const CrawlStep& step = known_.crawl(node, score, links);
  estimator_->learn(step);
  return step;
}

void Explorer::failed(Node node) {
  discover(node);
  if (known_.is_frontier(node)) claim(node);
}

}  // namespace webstrata
