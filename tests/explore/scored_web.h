// SPDX-License-Identifier: Apache-2.0

// A small web with scores for the tests, drawn by a seed, and slow references for the state of
// estimators.

#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/graph/random_graph.h"
#include "webstrata/explore/simulator.h"

namespace webstrata {

// About two in five pages and one in four links score above 0.
inline SimulatedWeb scored_web(std::uint64_t seed, Node node_count = 60, bool with_names = false) {
  Random random(seed);
  Snapshot graph = random_graph(random, node_count, 8);
  if (with_names) {
    auto names = std::make_shared<NameList>();
    for (Node node = 0; node < node_count; ++node) {
      const char letter = static_cast<char>('a' + node % 5);
      names->add("http://h" + std::to_string(node % 3) + ".example/" + letter + "/page-" +
                 std::to_string(node) + ".html");
    }
    graph = graph.with_names(names);
  }
  std::vector<double> node_scores(node_count);
  for (double& score : node_scores) score = random.chance(0.4) ? 1 + 2 * random.unit() : 0;
  std::vector<double> link_scores(graph.link_count());
  for (double& score : link_scores) score = random.chance(0.25) ? 1 + random.unit() : 0;
  return {graph, node_scores, link_scores};
}

// What is known after some crawls, as plain lists.
struct SlowGraph {
  struct Page {
    Node node;
    double score;
    std::vector<KnownLink> links;
    bool is_seed;
  };
  std::vector<Page> pages;  // in the order of crawling
  std::set<Node> frontier;

  [[nodiscard]] const Page* page(Node node) const {
    for (const Page& page : pages) {
      if (page.node == node) return &page;
    }
    return nullptr;
  }
  struct InLink {
    const Page* source;
    double score;
  };
  [[nodiscard]] std::vector<InLink> in_links(Node node) const {
    std::vector<InLink> links;
    for (const Page& page : pages) {
      for (const KnownLink& link : page.links) {
        if (link.target == node) links.push_back({&page, link.score});
      }
    }
    return links;
  }
  void crawl(Node node, const CrawledPage& page, bool is_seed) {
    Page crawled{node, page.score, {}, is_seed};
    for (const KnownLink& link : page.links) {
      if (link.target != node) crawled.links.push_back(link);
    }
    pages.push_back(crawled);
    frontier.erase(node);
    for (const KnownLink& link : crawled.links) {
      if (this->page(link.target) == nullptr) frontier.insert(link.target);
    }
  }
};

// Drives an Explorer and its slow reference through the same crawl, and calls check(explorer, slow)
// before every step. The next page is what the explorer says, or now and then any other.
template <typename Check>
void crawl_in_step(const SimulatedWeb& web, std::string_view estimator, EstimatorOptions options,
                   std::vector<Node> seeds, std::size_t steps, Check check) {
  options.truth = web.node_scores();
  options.budget = steps;
  Explorer explorer(estimator, {options, {}, web.groups()});
  explorer.begin(seeds);
  SlowGraph slow;
  Random random(options.seed + 99);
  std::vector<Node> nodes;
  std::vector<KnownLink> buffer;
  explorer.next_seeds(nodes);
  for (std::size_t step = 0; step <= steps + seeds.size(); ++step) {
    if (nodes.empty()) {
      check(explorer, slow);
      if (explorer.known().frontier().empty()) return;
      if (random.chance(0.3)) {
        nodes.push_back(
            explorer.known().frontier()[random.below(explorer.known().frontier().size())]);
      } else {
        explorer.next(1, nodes);
      }
    }
    const Node node = nodes.front();
    nodes.erase(nodes.begin());
    const CrawledPage page = web.crawl(node, buffer);
    const bool is_seed = slow.pages.size() < seeds.size();
    explorer.crawled(node, page.score, page.links);
    slow.crawl(node, page, is_seed);
  }
}

}  // namespace webstrata
