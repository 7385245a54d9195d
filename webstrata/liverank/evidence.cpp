// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/learning_test.cpp.

#include "webstrata/liverank/evidence.h"

#include <cmath>

namespace webstrata {
namespace {

float logit_evidence(float live, float dead, float rate, float base) {
  if (live == 0 && dead == 0) return 0;
  return std::log((live + rate) / (dead + 1 - rate)) - base;
}

}  // namespace

Evidence::Evidence(const Population& pages, std::size_t hub_links)
    : pages_(pages), hub_links_(hub_links) {
  for (Direction* direction : {&out_, &in_}) {
    direction->near.resize(pages.size());
    direction->far.resize(pages.size());
    direction->own.resize(pages.size());
    direction->unsent.resize(pages.size());
  }
  const Snapshot& graph = pages.graph;
  for (Node page = 0; page < pages.size(); ++page) {
    for (const Node source : graph.predecessors(page)) {
      out_.own[page] += share_of(graph.out_degree(source));
    }
    for (const Node target : graph.successors(page)) {
      in_.own[page] += share_of(graph.in_degree(target));
    }
  }
  for (const UrlLevel& level : pages.levels) {
    levels_.push_back({&level, std::vector<Counts>(level.sizes.size())});
  }
}

void Evidence::count(Direction& direction, Node page, bool is_live) {
  Counts& near = direction.near[page];
  Counts& unsent = direction.unsent[page];
  if (unsent.live == 0 && unsent.dead == 0) direction.changed.push_back(page);
  ++(is_live ? near.live : near.dead);
  ++(is_live ? unsent.live : unsent.dead);
}

void Evidence::add(Node page, bool is_live) {
  for (const Node source : pages_.graph.predecessors(page)) count(out_, source, is_live);
  for (const Node target : pages_.graph.successors(page)) count(in_, target, is_live);
  for (auto& [level, counts] : levels_) {
    Counts& group = counts[level->group_of[page]];
    ++(is_live ? group.live : group.dead);
  }
}

template <typename Links>
void Evidence::settle(Direction& direction, Links links) {
  for (const Node middle : direction.changed) {
    const auto relatives = links(middle);
    const float share = share_of(relatives.size());
    const Counts unsent = std::exchange(direction.unsent[middle], {});
    if (share == 0) continue;
    for (const Node page : relatives) {
      direction.far[page].live += share * unsent.live;
      direction.far[page].dead += share * unsent.dead;
    }
  }
  direction.changed.clear();
}

void Evidence::settle() {
  settle(out_, [&](Node page) { return pages_.graph.successors(page); });
  settle(in_, [&](Node page) { return pages_.graph.predecessors(page); });
}

std::string Evidence::name(std::size_t relation) const {
  switch (relation) {
    case 0:
      return "its targets";
    case 1:
      return "its sources";
    case 2:
      return "pages with the same sources";
    case 3:
      return "pages with the same targets";
    default:
      return "its " + std::string(levels_[relation - 4].level->name);
  }
}

void Evidence::values(Node page, Own own, double rate, float* out) const {
  const auto pi = static_cast<float>(rate);
  const float base = std::log(pi / (1 - pi));
  const float own_live = own == Own::Live ? 1 : 0;
  const float own_dead = own == Own::Dead ? 1 : 0;
  const auto add = [&](const Counts& counts, float weight) {
    // Because of rounding, sums of fractions may differ slightly from what is subtracted.
    const float live = std::max(0.0F, counts.live - weight * own_live);
    const float dead = std::max(0.0F, counts.dead - weight * own_dead);
    *out++ = logit_evidence(live, dead, pi, base);
  };
  add(out_.near[page], 0);
  add(in_.near[page], 0);
  add(out_.far[page], out_.own[page]);
  add(in_.far[page], in_.own[page]);
  for (const auto& [level, counts] : levels_) add(counts[level->group_of[page]], 1);
}

}  // namespace webstrata
