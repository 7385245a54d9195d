// SPDX-License-Identifier: Apache-2.0

// Estimates the scores of pages before they are crawled.
//
// An estimator is notified of every change of the known graph, and keeps what it needs up to date;
// it never sees more than that graph. Simulator and crawler drive the same estimators.
//
//   const auto estimator = make_estimator("nh-ne-sum", known, {});     // estimators.h
//   estimator->best(10, nodes);                                        // the ten it likes best
//
// Ties among scores are broken by the tie rule, and then by which node was seen first. Most
// estimators keep a heap and change only nodes that a new page links to; those that learn scan the
// whole frontier in one pass. docs/explore.md says which do what.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "webstrata/explore/known_graph.h"

namespace webstrata {

// Which node comes first among equal scores. Where most scores are 0, this decides the crawl.
enum class TieBreak : std::uint8_t {
  First,    // the node seen first
  NodeSum,  // "nh-n": the node with the larger sum of its parents' scores
  Random,   // by a number drawn when a node is first seen
};
std::string_view to_string(TieBreak ties) noexcept;

// What a node was chosen by: a number, and the expert it comes from where an estimator has several.
struct Grounds {
  double score = 0;
  std::string_view expert = {};
};

class Estimator {
 public:
  virtual ~Estimator() = default;
  Estimator(const Estimator&) = delete;
  Estimator& operator=(const Estimator&) = delete;

  // The crawl begins with these; nothing is crawled yet.
  virtual void begin(std::span<const Node> /*seeds*/) {}
  // The node was put on the frontier without a link.
  virtual void came(Node node) = 0;
  // The node was claimed: it left the frontier, where it was at `place`.
  virtual void left(Node node, std::size_t place) = 0;
  // A page was crawled, and the graph contains its score and links.
  virtual void learn(const CrawlStep& step) = 0;

  // The present estimate for a node of the frontier.
  [[nodiscard]] virtual double score(Node node) = 0;
  // Why best() named this node; it is still on the frontier.
  [[nodiscard]] virtual Grounds grounds(Node node) { return {.score = score(node)}; }
  // Appends at most `count` nodes of the frontier, best first.
  virtual void best(std::size_t count, std::vector<Node>& nodes) = 0;
  // Appends all nodes of the frontier that score at least that much, in no order.
  virtual void at_least(double score, std::vector<Node>& nodes);

 protected:
  explicit Estimator(const KnownGraph& known) : known_(known) {}

  const KnownGraph& known_;
};

}  // namespace webstrata
