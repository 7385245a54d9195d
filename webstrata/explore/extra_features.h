// SPDX-License-Identifier: Apache-2.0

// All that `extra` knows about a node of the frontier, kept up to date page by page.
//
// Besides the neighbourhood: how siblings did (pages crawled that share a parent), how the groups
// did that the node belongs to (the first four levels: host, directory and words, as url_grouping.h
// makes them), and its OPIC cash. Means over few pages are drawn towards the mean of the crawl.
// Scores of pages are divided by the mean of those seeds that score, so that weights learned
// elsewhere fit whatever the unit. Internal to the room.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "webstrata/explore/extra_prior.h"
#include "webstrata/explore/known_graph.h"
#include "webstrata/explore/neighbour_features.h"
#include "webstrata/explore/opic_cash.h"

namespace webstrata {

class ExtraFeatures {
 public:
  static constexpr std::size_t kWidth = extra::kFeatures;

  explicit ExtraFeatures(const KnownGraph& known);

  void begin(std::span<const Node> seeds) { cash_.begin(seeds); }
  // First of all for a page: it may set the scale that it is measured by itself.
  void learn_scale(const CrawlStep& step);
  void learn(const CrawlStep& step);

  // Fills kWidth numbers, in the order of extra::kFeatureTable. The node is known.
  void fill(Node node, std::span<double> features) const;
  // The mean score of pages crawled that share a parent with it, and `prior` pages of the mean.
  [[nodiscard]] double sibling_mean(Node node, double prior) const;
  // Of the pages crawled so far, seeds not counted.
  [[nodiscard]] double mean_score() const noexcept { return mean_; }
  // What counts as a score of 1: the mean of the seeds that score, or else the first score at all.
  // It stands still once a page that is no seed was crawled.
  [[nodiscard]] double scale() const noexcept { return scale_; }

 private:
  static constexpr std::size_t kLevels = 4;
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
    Mean parents;           // a parent counts 1 / sqrt(its links)
    Mean siblings;          // a sibling counts 1 / (links of the parent), for each parent shared
    double shared_out = 0;  // sum of score / links over the parents
    std::uint32_t good_parents = 0;
    std::uint32_t named_links = 0;  // links to it that score
  };

  [[nodiscard]] const NodeFacts& facts(Node node) const noexcept;
  void learn_mean();
  void learn_groups(const CrawlStep& step);
  void tell_siblings(const CrawlStep& step);
  void tell_children(const CrawlStep& step);
  [[nodiscard]] extra::FeatureInput input(Node node) const;
  [[nodiscard]] double group_mean(Node node, std::size_t level) const;

  const KnownGraph& known_;
  NeighbourFeatures neighbours_;
  OpicCash cash_;
  std::vector<NodeFacts> facts_;           // by node
  std::vector<std::vector<Mean>> groups_;  // by level and group
  Mean crawl_;
  double mean_ = 0;
  Mean first_scores_;
  double scale_ = 1;
  bool is_scale_final_ = false;
};

}  // namespace webstrata
