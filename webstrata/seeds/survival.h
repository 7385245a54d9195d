// SPDX-License-Identifier: Apache-2.0

// Which old pages still exist: what a method may assume, and what it learns by testing.
//
//   GroupSurvival survival(graph);
//   survival.learn(node, false);       // it is gone
//   survival.probability(neighbour);   // now less likely, most of all in the same directory
//
// The truth is accessible only through a SurvivalTest, one node at a time; the caller counts the
// tests.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "webstrata/base/random.h"
#include "webstrata/graph/pages.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

// `count` of `nodes` in random order, at most all.
std::vector<Node> drawn(std::vector<Node> nodes, std::uint64_t count, Random& random);

// Whether that page of the old graph is alive.
using SurvivalTest = std::function<bool(Node)>;

// A page is alive if it has a survivor; one that the newer graph does not have counts as dead, even
// if no crawl looked. Both graphs must outlive it. Throws Error(BadInput) for a newer graph without
// pages.
SurvivalTest survival_by_name(const Snapshot& old, const Snapshot& newer);

// What is believed about pages that were not tested.
class SurvivalModel {
 public:
  virtual ~SurvivalModel() = default;
  [[nodiscard]] virtual double probability(Node node) = 0;
  virtual void learn(Node node, bool is_alive) = 0;
};

// Running rates with evidence from neighbours by URL. A page belongs to its host and to every
// directory above it. The rate of a group is a Beta mean that is shrunk towards the enclosing
// group:
//   rate(group) = (alive + 2 * rate(around)) / (tested + 2)
//   rate(all) = (alive + 1) / (tested + 2)
// and the probability of a page is the rate of its own directory. Without names only the rate of
// all counts. Names are read only for pages that are asked about.
class GroupSurvival : public SurvivalModel {
 public:
  explicit GroupSurvival(const Snapshot& graph);

  [[nodiscard]] double probability(Node node) override;
  void learn(Node node, bool is_alive) override;

 private:
  using Group = std::uint32_t;
  struct Counts {
    Group around = 0;
    std::uint32_t alive = 0;
    std::uint32_t tested = 0;
  };

  [[nodiscard]] Group directory_of(Node node);
  Group group_within(Group around, std::string_view key);
  [[nodiscard]] double rate(Group group) const;

  const Snapshot& graph_;
  std::vector<Counts> groups_;  // [0] is all
  std::unordered_map<std::string, Group> by_key_;
  std::unordered_map<Node, Group> directories_;
};

}  // namespace webstrata
