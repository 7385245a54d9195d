// SPDX-License-Identifier: Apache-2.0

// What an exploration knows so far: a graph that grows with every page crawled.
//
//   KnownGraph known;
//   known.discover(seed);
//   known.claim(seed);
//   const CrawlStep& step = known.crawl(seed, 1.7, links);   // its score and links are revealed
//   known.frontier();                                        // linked, but not crawled
//
// The driver numbers the nodes, by a Snapshot or in order of discovery; any number below 2^32 - 1
// is allowed, and memory grows with the largest. A node becomes known by being linked or
// discovered. It is then on the frontier until the driver claims it, either to crawl it now or to
// drop it permanently. Known links keep their scores, and can be followed in both directions.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "webstrata/base/ids.h"

namespace webstrata {

// A link as found on its page: its target and its score (alpha, at least 0).
struct KnownLink {
  Node target = 0;
  double score = 0;

  friend bool operator==(const KnownLink&, const KnownLink&) = default;
};

// Groups of nodes other than by links (on a host, in a directory): one number for each level, the
// same for members of one group.
using Group = std::uint32_t;
inline constexpr Group kNoGroup = 0xffffffff;
struct GroupLevels {
  std::size_t count = 0;
  // Fills one group per level. Called once for each node, when it becomes known.
  std::function<void(Node node, std::span<Group> groups)> of = {};
};

// What crawling one page revealed.
struct CrawlStep {
  Node node = 0;
  double score = 0;                  // beta, at least 0
  std::span<const KnownLink> links;  // each target once, none to the page itself
  std::span<const Node> discovered;  // targets unknown before, in order; now on the frontier
  bool is_seed = false;              // it was put on the frontier without a link
};

class KnownGraph {
 public:
  explicit KnownGraph(GroupLevels levels = {});

  // Puts a node without links to it on the frontier: a seed. Does nothing if it is known.
  void discover(Node node);
  // Removes it from the frontier: it is being crawled, or will never be. The last node of
  // frontier() takes its place there, which is returned.
  std::size_t claim(Node node);
  // The page was crawled; it must have been claimed. A target named twice counts once, with the
  // larger score; links of the page to itself are ignored. The step lives until the next crawl.
  // Throws Error(BadInput) if a score is negative or not a number, or if the page was crawled
  // before.
  const CrawlStep& crawl(Node node, double score, std::span<const KnownLink> links);

  // In no particular order; claim() says how it changes. New nodes come at the end.
  [[nodiscard]] std::span<const Node> frontier() const noexcept { return frontier_; }
  [[nodiscard]] bool is_known(Node node) const noexcept;
  [[nodiscard]] bool is_frontier(Node node) const noexcept;
  [[nodiscard]] bool is_crawled(Node node) const noexcept;
  // Its place in frontier(), where it must be.
  [[nodiscard]] std::size_t place(Node node) const noexcept { return nodes_[node].place; }
  // One more than the largest node known.
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  // Crawled pages, in their order.
  [[nodiscard]] std::span<const Node> crawled() const noexcept { return crawled_; }

  // The functions below are for known nodes only.
  // Of a crawled page; 0 before.
  [[nodiscard]] double score(Node node) const noexcept { return nodes_[node].score; }
  // The number of nodes that became known before it.
  [[nodiscard]] std::uint32_t seen_at(Node node) const noexcept { return nodes_[node].seen_at; }
  [[nodiscard]] std::uint32_t in_degree(Node node) const noexcept { return nodes_[node].in_degree; }
  [[nodiscard]] std::uint32_t out_degree(Node node) const noexcept {
    return nodes_[node].link_count;
  }
  // Empty before it is crawled.
  [[nodiscard]] std::span<const KnownLink> links(Node node) const noexcept {
    return {links_.data() + nodes_[node].first_link, nodes_[node].link_count};
  }
  [[nodiscard]] std::span<const Group> groups(Node node) const noexcept {
    return {groups_.data() + node * levels_.count, levels_.count};
  }
  [[nodiscard]] std::size_t level_count() const noexcept { return levels_.count; }
  [[nodiscard]] std::uint64_t link_count() const noexcept { return links_.size(); }

  // Calls visit(source, link score) for every known link to the node, the latest first.
  template <typename Visit>
  void for_each_in_link(Node node, Visit visit) const {
    for (std::uint64_t link = nodes_[node].last_in_link; link != kNoLink; link = next_in_[link]) {
      visit(sources_[link], links_[link].score);
    }
  }

 private:
  static constexpr std::uint64_t kNoLink = ~std::uint64_t{0};
  enum class State : std::uint8_t { Unknown, Frontier, Claimed, Crawled };
  struct NodeFacts {
    std::uint64_t first_link = 0;
    std::uint64_t last_in_link = kNoLink;  // then next_in_
    double score = 0;
    std::uint32_t link_count = 0;
    std::uint32_t in_degree = 0;
    std::uint32_t place = 0;
    std::uint32_t seen_at = 0;
    std::uint32_t named_by = 0;  // the number of the crawl that last linked to it
    State state = State::Unknown;
    bool is_seed = false;
  };

  void make_room(Node node);
  void put_on_frontier(Node node);
  void append_link(Node source, const KnownLink& link);

  GroupLevels levels_;
  std::vector<NodeFacts> nodes_;
  std::vector<Group> groups_;
  std::vector<Node> frontier_;
  std::vector<Node> crawled_;
  std::vector<KnownLink> links_;
  std::vector<Node> sources_;           // parallel to links_
  std::vector<std::uint64_t> next_in_;  // parallel to links_: the previous link to the same target
  std::uint32_t seen_count_ = 0;
  CrawlStep step_;
  std::vector<Node> discovered_;
};

}  // namespace webstrata
