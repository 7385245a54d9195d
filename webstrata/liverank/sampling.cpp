// SPDX-License-Identifier: Apache-2.0

// Every sample is the beginning of an order: random, by in-degree or PageRank with ties at random,
// or systematic. One seed draws the sample and the next one the ties, so that the two are
// independent. keep_best() uses a partial sort, since planners ask for few of many pages.
// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"random", "indegree", "pagerank", "systematic"};
constexpr std::array<std::string_view, 3> kTies = {"pagerank", "number", "random"};

template <typename Value, std::size_t size>
std::optional<Value> parse(const std::array<std::string_view, size>& names, std::string_view name) {
  const auto place = std::ranges::find(names, name);
  if (place == names.end()) return std::nullopt;
  return static_cast<Value>(place - names.begin());
}

std::vector<Node> all_pages(Node count) {
  std::vector<Node> pages(count);
  std::iota(pages.begin(), pages.end(), Node{0});
  return pages;
}

void shuffle(std::vector<Node>& pages, Random& random) {
  for (std::size_t i = 0; i + 1 < pages.size(); ++i) {
    std::swap(pages[i], pages[i + random.below(pages.size() - i)]);
  }
}

std::vector<Node> systematic(Node page_count, std::size_t size, Random& random) {
  std::vector<Node> pages;
  const double step = static_cast<double>(page_count) / static_cast<double>(size);
  const double start = random.unit() * step;
  for (std::size_t i = 0; i < size; ++i) {
    const auto page = static_cast<Node>(start + static_cast<double>(i) * step);
    pages.push_back(std::min(page, page_count - 1));
  }
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  shuffle(pages, random);
  return pages;
}

std::vector<double> scores_by(const Population& pages, SampleKind kind) {
  if (kind == SampleKind::PageRank) return pages.pagerank;
  std::vector<double> degrees(pages.size());
  for (Node page = 0; page < pages.size(); ++page) degrees[page] = pages.graph.in_degree(page);
  return degrees;
}

// All pages in the order of the sample. Those that a systematic sample passes over follow it.
std::vector<Node> candidates(const Population& pages, SampleKind kind, std::size_t size,
                             Random& random) {
  std::vector<Node> order = all_pages(pages.size());
  shuffle(order, random);
  if (kind == SampleKind::Random) return order;
  if (kind == SampleKind::Systematic) {
    std::vector<std::uint8_t> is_drawn(pages.size());
    for (const Node page : systematic(pages.size(), size, random)) is_drawn[page] = 1;
    std::ranges::stable_partition(order, [&](Node page) { return is_drawn[page] != 0; });
    return order;
  }
  const std::vector<double> scores = scores_by(pages, kind);
  // Stable: equal scores stay in random order.
  std::ranges::stable_sort(order, [&](Node a, Node b) { return scores[a] > scores[b]; });
  return order;
}

// Pages without a chosen neighbour first; the others follow in their order.
std::vector<Node> spread_out(const Snapshot& graph, const std::vector<Node>& order) {
  std::vector<std::uint8_t> is_near(graph.node_count());
  std::vector<Node> chosen;
  std::vector<Node> others;
  for (const Node page : order) {
    if (is_near[page] != 0) {
      others.push_back(page);
      continue;
    }
    chosen.push_back(page);
    for (const Node near : graph.successors(page)) is_near[near] = 1;
    for (const Node near : graph.predecessors(page)) is_near[near] = 1;
  }
  chosen.insert(chosen.end(), others.begin(), others.end());
  return chosen;
}

// Random pages of each site, in random order.
std::vector<Node> sampled_by_site(const Population& pages, const SampleOptions& options,
                                  std::size_t size, Random& random) {
  const UrlLevel sites = sites_of(pages, options.site_directories);
  std::vector<std::uint32_t> by_size(sites.sizes.size());
  std::iota(by_size.begin(), by_size.end(), 0U);
  std::ranges::stable_sort(by_size, std::greater<>(),
                           [&](std::uint32_t site) { return sites.sizes[site]; });
  std::vector<std::uint32_t> wanted(sites.sizes.size());
  for (const std::uint32_t site : by_size) {
    const auto room = static_cast<std::uint32_t>(std::min<std::size_t>(size, options.per_site));
    wanted[site] = std::min(sites.sizes[site], room);
    size -= wanted[site];
  }
  std::vector<Node> order = all_pages(pages.size());
  shuffle(order, random);
  std::erase_if(order, [&](Node page) {
    std::uint32_t& more = wanted[sites.group_of[page]];
    if (more == 0) return true;
    --more;
    return false;
  });
  return order;
}

}  // namespace

std::string_view to_string(SampleKind kind) noexcept {
  return kKinds[static_cast<std::size_t>(kind)];
}
std::optional<SampleKind> parse_sample_kind(std::string_view name) noexcept {
  return parse<SampleKind>(kKinds, name);
}
std::string_view to_string(TieRule rule) noexcept { return kTies[static_cast<std::size_t>(rule)]; }
std::optional<TieRule> parse_tie_rule(std::string_view name) noexcept {
  return parse<TieRule>(kTies, name);
}

std::size_t sample_size(const SampleOptions& options, Node page_count) {
  if (!(options.size >= 0) || !std::isfinite(options.size)) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("sample of {}: give a number of pages, or a share below 1", options.size));
  }
  const double whole = static_cast<double>(options.of_budget > 0 ? options.of_budget : page_count);
  const double wanted = options.size >= 1 ? options.size : std::floor(options.size * whole);
  const double least = std::max(wanted, static_cast<double>(options.size_min));
  return static_cast<std::size_t>(std::min(least, static_cast<double>(page_count)));
}

std::vector<Node> sampled(const Population& pages, const SampleOptions& options,
                          std::uint64_t seed) {
  const bool is_drawn =
      options.kind == SampleKind::Systematic || options.kind == SampleKind::Random;
  const bool counts_pages = is_drawn && !options.no_neighbours && options.per_site == 0;
  if (counts_pages) return drawn_sample(options, pages.size(), seed);
  const std::size_t size = sample_size(options, pages.size());
  Random random(seed);
  if (size == 0) return {};
  if (options.per_site > 0) return sampled_by_site(pages, options, size, random);
  std::vector<Node> order = candidates(pages, options.kind, size, random);
  if (options.no_neighbours) order = spread_out(pages.graph, order);
  order.resize(size);
  return order;
}

std::vector<Node> drawn_sample(const SampleOptions& options, Node page_count, std::uint64_t seed) {
  const std::size_t size = sample_size(options, page_count);
  Random random(seed);
  if (size == 0) return {};
  if (options.kind == SampleKind::Systematic) return systematic(page_count, size, random);
  std::vector<Node> order = all_pages(page_count);
  shuffle(order, random);
  order.resize(size);
  return order;
}

std::vector<double> tie_values(const Population& pages, TieRule rule, std::uint64_t seed) {
  if (rule == TieRule::PageRank) return pages.pagerank;
  std::vector<double> values(pages.size());
  Random random(seed + 1);  // independent of the numbers that drew the sample
  if (rule == TieRule::Random) std::ranges::generate(values, [&] { return random.unit(); });
  return values;
}

std::vector<Node> ordered(const std::vector<double>& scores, const std::vector<double>& ties) {
  std::vector<Node> pages = all_pages(static_cast<Node>(scores.size()));
  keep_best(pages, pages.size(), scores, ties);
  return pages;
}

void keep_best(std::vector<Node>& pages, std::size_t count, const std::vector<double>& scores,
               const std::vector<double>& ties) {
  const auto is_better = [&](Node a, Node b) {
    if (scores[a] != scores[b]) return scores[a] > scores[b];
    if (ties[a] != ties[b]) return ties[a] > ties[b];
    return a < b;
  };
  if (count < pages.size()) {
    std::nth_element(pages.begin(), pages.begin() + static_cast<std::ptrdiff_t>(count), pages.end(),
                     is_better);
    pages.resize(count);
  }
  std::ranges::sort(pages, is_better);
}

}  // namespace webstrata
