// SPDX-License-Identifier: Apache-2.0

// Links are in one list, in the order of crawling; those to one target are chained, so that both
// directions cost a few bytes per link and nothing is ever moved.
// Tested by tests/explore/known_graph_test.cpp.

#include "webstrata/explore/known_graph.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

void check_score(double score, std::string_view what, Node node) {
  if (std::isfinite(score) && score >= 0) return;
  throw Error(
      ErrorKind::BadInput,
      fmt::format("the score of {} {} is {}: scores are numbers of at least 0", what, node, score));
}

}  // namespace

KnownGraph::KnownGraph(GroupLevels levels) : levels_(std::move(levels)) {}

bool KnownGraph::is_known(Node node) const noexcept {
  return node < nodes_.size() && nodes_[node].state != State::Unknown;
}
bool KnownGraph::is_frontier(Node node) const noexcept {
  return node < nodes_.size() && nodes_[node].state == State::Frontier;
}
bool KnownGraph::is_crawled(Node node) const noexcept {
  return node < nodes_.size() && nodes_[node].state == State::Crawled;
}

void KnownGraph::make_room(Node node) {
  if (node < nodes_.size()) return;
  nodes_.resize(node + std::size_t{1});
  groups_.resize(nodes_.size() * levels_.count, kNoGroup);
}

void KnownGraph::put_on_frontier(Node node) {
  NodeFacts& facts = nodes_[node];
  facts.state = State::Frontier;
  facts.seen_at = seen_count_++;
  facts.place = static_cast<std::uint32_t>(frontier_.size());
  frontier_.push_back(node);
  if (levels_.count > 0) {
    levels_.of(node, {groups_.data() + node * levels_.count, levels_.count});
  }
}

void KnownGraph::discover(Node node) {
  make_room(node);
  if (nodes_[node].state != State::Unknown) return;
  put_on_frontier(node);
  nodes_[node].is_seed = true;
}

std::size_t KnownGraph::claim(Node node) {
  assert(is_frontier(node));
  NodeFacts& facts = nodes_[node];
  const std::size_t place = facts.place;
  const Node last = frontier_.back();
  frontier_[place] = last;
  nodes_[last].place = facts.place;
  frontier_.pop_back();
  facts.state = State::Claimed;
  return place;
}

// The number of a crawl is one more than the pages crawled before, so that 0 is never used.
void KnownGraph::append_link(Node source, const KnownLink& link) {
  NodeFacts& target = nodes_[link.target];
  const auto crawl_number = static_cast<std::uint32_t>(crawled_.size() + 1);
  if (target.named_by == crawl_number) {
    double& score = links_[target.last_in_link].score;
    score = std::max(score, link.score);
    return;
  }
  target.named_by = crawl_number;
  if (target.state == State::Unknown) {
    put_on_frontier(link.target);
    discovered_.push_back(link.target);
  }
  next_in_.push_back(target.last_in_link);
  target.last_in_link = links_.size();
  ++target.in_degree;
  links_.push_back(link);
  sources_.push_back(source);
}

const CrawlStep& KnownGraph::crawl(Node node, double score, std::span<const KnownLink> links) {
  check_score(score, "node", node);
  Node largest = node;
  for (const KnownLink& link : links) {
    check_score(link.score, "a link to node", link.target);
    largest = std::max(largest, link.target);
  }
  if (!is_known(node) || nodes_[node].state != State::Claimed) {
    throw Error(ErrorKind::BadInput,
                fmt::format("node {} was crawled before, or not claimed", node));
  }
  make_room(largest);
  discovered_.clear();
  const std::uint64_t first_link = links_.size();
  nodes_[node].first_link = first_link;
  for (const KnownLink& link : links) {
    if (link.target != node) append_link(node, link);
  }
  NodeFacts& facts = nodes_[node];
  facts.link_count = static_cast<std::uint32_t>(links_.size() - first_link);
  facts.score = score;
  facts.state = State::Crawled;
  crawled_.push_back(node);
  step_ = {node, score, this->links(node), discovered_, facts.is_seed};
  return step_;
}

}  // namespace webstrata
