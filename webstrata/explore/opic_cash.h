// SPDX-License-Identifier: Apache-2.0

// The cash of OPIC (Abiteboul, Preda and Cobena 2003): a crawled page passes its cash to the pages
// it links to.
//
// Seeds begin with equal parts of 1. A crawled page is never crawled again, so what it receives
// later stays with it; the cash of a page without links is lost. At all times cash and loss add up
// to 1, and the histories to what was passed on or lost. Internal to the room.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/explore/known_graph.h"

namespace webstrata {

// How a page splits its cash among its links. If all shares are 0, they are equal. A target not
// crawled yet counts with the mean score of crawled pages.
enum class CashShare : std::uint8_t { Equal, Links, Nodes, Both };

class OpicCash {
 public:
  explicit OpicCash(CashShare share = CashShare::Equal) : share_(share) {}

  void begin(std::span<const Node> seeds);
  void learn(const KnownGraph& known, const CrawlStep& step);

  [[nodiscard]] double cash(Node node) const noexcept { return value(cash_, node); }
  [[nodiscard]] double history(Node node) const noexcept { return value(history_, node); }
  // Passed on or lost by all pages so far: G of the paper.
  [[nodiscard]] double handed_on() const noexcept { return handed_on_; }
  [[nodiscard]] double lost() const noexcept { return lost_; }
  // (H + C) / (G + 1)
  [[nodiscard]] double score(Node node) const noexcept {
    return (history(node) + cash(node)) / (handed_on_ + 1);
  }

 private:
  static double value(const std::vector<double>& values, Node node) noexcept {
    return node < values.size() ? values[node] : 0;
  }
  [[nodiscard]] double share_of(const KnownGraph& known, const KnownLink& link,
                                double mean_score) const noexcept;

  CashShare share_;
  std::vector<double> cash_;  // by node
  std::vector<double> history_;
  double handed_on_ = 0;
  double lost_ = 0;
  double score_sum_ = 0;
  std::vector<double> shares_;
};

}  // namespace webstrata
