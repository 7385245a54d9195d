// All that `extra` knows about a node of the frontier, kept up to date page by page.
//
// Besides the neighbourhood: how siblings did (pages crawled that share a parent), how the groups
// did that the node belongs to, and its OPIC cash. Means over few pages are drawn towards the mean
// of the crawl. Internal to the room.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "webstrata/explore/known_graph.h"
#include "webstrata/explore/neighbour_features.h"
#include "webstrata/explore/opic_cash.h"

namespace webstrata {

class ExtraFeatures {
 public:
  explicit ExtraFeatures(const KnownGraph& known);

  void begin(std::span<const Node> seeds) { cash_.begin(seeds); }
  void learn(const CrawlStep& step);

  [[nodiscard]] std::size_t width() const noexcept { return kFixedFeatures + groups_.size(); }
  // Fills width() numbers. The node is known.
  void fill(Node node, std::span<double> features) const;
  // The mean score of pages crawled that share a parent with it, and `prior` pages of the mean.
  [[nodiscard]] double sibling_mean(Node node, double prior) const;
  // Of the pages crawled so far, seeds not counted.
  [[nodiscard]] double mean_score() const noexcept { return mean_; }

 private:
  static constexpr std::size_t kFixedFeatures = 24;
  struct Mean {
    double sum = 0;
    double weight = 0;

    void add(double value, double its_weight) {
      sum += value * its_weight;
      weight += its_weight;
    }
    [[nodiscard]] double towards(double centre, double prior) const {
      return (sum + prior * centre) / (weight + prior);
    }
  };
  struct NodeFacts {
    Mean parents;   // a parent counts 1 / sqrt(its links)
    Mean siblings;  // a sibling counts 1 / (links of the parent), for each parent they share
    std::uint32_t good_parents = 0;
  };

  [[nodiscard]] const NodeFacts& facts(Node node) const noexcept;
  void learn_groups(const CrawlStep& step);
  void tell_siblings(const CrawlStep& step);
  void tell_children(const CrawlStep& step);
  [[nodiscard]] double group_mean(Node node, std::size_t level) const;

  const KnownGraph& known_;
  NeighbourFeatures neighbours_;
  OpicCash cash_;
  std::vector<NodeFacts> facts_;           // by node
  std::vector<std::vector<Mean>> groups_;  // by level and group
  Mean crawl_;
  double mean_;
};

}  // namespace webstrata
