// SPDX-License-Identifier: Apache-2.0

// What tested relatives say about a page, without its own answer.
//
// Relatives are its targets, its sources, pages that share a source with it (co-citation), pages
// that share a target (coupling), and the pages of each of its URL groups. For a relation with A
// live and D dead tested relatives, and a share π of live pages among all tested,
//
//   evidence = logit((A + π) / (A + D + 1)) − logit(π)
//
// which is 0 without relatives. Relatives by co-citation and coupling count 1 / (links of the page
// in between); pages with more than 300 links are ignored.
//
// A test costs O(links of the page + levels); sums over two links are updated once per round, from
// the pages whose counts changed.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "webstrata/liverank/lore_parameters.h"
#include "webstrata/liverank/population.h"

namespace webstrata {

class Evidence {
 public:
  explicit Evidence(const Population& pages, std::size_t hub_links = LoreParameters{}.hub_links);

  void add(Node page, bool is_live);
  // To be called before values() when something was added.
  void settle();

  // Links in four ways, then the levels.
  [[nodiscard]] std::size_t size() const noexcept { return 4 + levels_.size(); }
  [[nodiscard]] std::string name(std::size_t relation) const;
  // Fills size() numbers for a page that was tested with that outcome, or not yet.
  enum class Own : std::uint8_t { Untested, Dead, Live };
  void values(Node page, Own own, double rate, float* out) const;

 private:
  struct Counts {
    float live = 0;
    float dead = 0;
  };
  struct Level {
    const UrlLevel* level;
    std::vector<Counts> counts;
  };
  // One hop: A and D over the links in one direction. Two hops: the same over the links back.
  struct Direction {
    std::vector<Counts> near;    // of each page: tested pages one link away
    std::vector<Counts> far;     // tested pages two links away, each weighted; itself included
    std::vector<float> own;      // the weight with which a page counts in its own `far`
    std::vector<Counts> unsent;  // changes of `near` that `far` does not have yet
    std::vector<Node> changed;
  };
  void count(Direction& direction, Node page, bool is_live);
  template <typename Links>
  void settle(Direction& direction, Links links);

  // The weight of a page in between with this number of links.
  [[nodiscard]] float share_of(std::size_t links) const noexcept {
    return links == 0 || links > hub_links_ ? 0 : 1 / static_cast<float>(links);
  }

  const Population& pages_;
  std::size_t hub_links_;
  Direction out_;  // near: targets; far: through a common source
  Direction in_;   // near: sources; far: through a common target
  std::vector<Level> levels_;
};

}  // namespace webstrata
