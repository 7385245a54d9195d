// SPDX-License-Identifier: Apache-2.0

// A made-up web without end: every page has ten links, drawn by its number. One page links to the
// whole frontier at first, so that its size is known.

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "bench/explore/sections.h"
#include "webstrata/base/random.h"
#include "webstrata/explore/explorer.h"

namespace webstrata {
namespace {

constexpr std::size_t kLinks = 10;
constexpr std::uint64_t kStepsMax = 20000;
constexpr double kSecondsMax = 3;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class EndlessWeb {
 public:
  explicit EndlessWeb(Node frontier) : frontier_(frontier), truth_(2 * std::size_t{frontier} + 1) {
    Random random(7);
    for (double& score : truth_) score = random.chance(0.3) ? 1 + 2 * random.unit() : 0;
  }

  [[nodiscard]] const std::vector<double>& truth() const noexcept { return truth_; }
  [[nodiscard]] std::vector<KnownLink> first_links() const {
    std::vector<KnownLink> links;
    Random random(8);
    for (Node node = 1; node <= frontier_; ++node) links.push_back(link_to(node, random));
    return links;
  }
  void links_of(Node node, std::vector<KnownLink>& links) const {
    Random random(node);
    links.clear();
    for (std::size_t i = 0; i < kLinks; ++i) {
      links.push_back(
          link_to(static_cast<Node>(1 + random.below(2 * std::uint64_t{frontier_})), random));
    }
  }
  static GroupLevels groups() {
    return {4, [](Node node, std::span<Group> out) {
              out[0] = node / 1000;
              out[1] = node / 50;
              out[2] = node % 997;
              out[3] = node % 5003;
            }};
  }

 private:
  static KnownLink link_to(Node node, Random& random) {
    return {node, random.chance(0.2) ? 1 + random.unit() : 0};
  }

  Node frontier_;
  std::vector<double> truth_;
};

double steps_a_second(std::string_view name, Node frontier) {
  const EndlessWeb web(frontier);
  EstimatorOptions options{.budget = std::min<std::uint64_t>(kStepsMax, frontier / 2),
                           .truth = web.truth()};
  Explorer explorer(name, {options, {}, EndlessWeb::groups()});
  explorer.begin(std::vector<Node>{0});
  explorer.crawled(0, 1, web.first_links());
  std::vector<Node> nodes;
  std::vector<KnownLink> links;
  const auto crawl = [&](std::uint64_t steps, double until) {
    std::uint64_t made = 0;
    for (; made < steps && (made % 16 != 0 || cpu_seconds() < until); ++made) {
      nodes.clear();
      explorer.next(1, nodes);
      web.links_of(nodes.at(0), links);
      explorer.crawled(nodes[0], web.truth()[nodes[0]], links);
    }
    return made;
  };
  // No more than half of the frontier, so that its size hardly changes; a fifth of the budget
  // first, which extra crawls differently from the rest.
  const std::uint64_t steps = std::min<std::uint64_t>(kStepsMax, frontier / 2);
  crawl(steps / 5 + 1, cpu_seconds() + kSecondsMax);
  const double start = cpu_seconds();
  const std::uint64_t made = crawl(steps, start + kSecondsMax);
  return static_cast<double>(made) / (cpu_seconds() - start);
}

}  // namespace

void measure_speed(const ExploreBench& bench) {
  fmt::print("steps a second of CPU time, one thread, {} links a page\n{:<12}{:>12}{:>12}{:>12}\n",
             kLinks, "frontier", "10^4", "10^5", "10^6");
  for (const EstimatorEntry& entry : estimators()) {
    const bool is_wanted = bench.only.empty()
                               ? entry.name != "nr-full"
                               : std::ranges::count(bench.only, std::string(entry.name)) > 0;
    if (!is_wanted) continue;
    fmt::print("{:<12}", entry.name);
    for (const Node frontier : {10000u, 100000u, 1000000u}) {
      fmt::print("{:>12.0f}", steps_a_second(entry.name, frontier));
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
}

}  // namespace webstrata
