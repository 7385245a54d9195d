// SPDX-License-Identifier: Apache-2.0

// The sample that methods begin with: Z of the papers, tested before any answer is known.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "webstrata/liverank/population.h"

namespace webstrata {

enum class SampleKind : std::uint8_t {
  Random,
  InDegree,    // the pages with most links to them
  PageRank,    // the pages of highest PageRank
  Systematic,  // every n/z-th page from a random start: all hosts and directories in proportion
};
std::string_view to_string(SampleKind kind) noexcept;
std::optional<SampleKind> parse_sample_kind(std::string_view name) noexcept;

struct SampleOptions {
  SampleKind kind = SampleKind::Random;
  double size = 0.01;  // at least 1: pages; below: share of all pages, or of the budget
  // Not 0: a size below 1 is a share of this many tests; the papers advise 1/3 to 1/2.
  std::uint64_t of_budget = 0;
  std::uint64_t size_min = 1;
  bool no_neighbours =
      false;  // pages linked with a chosen one are used only when no others are left
  // Not 0, for Random: this many pages of each site (all of a smaller one), the largest sites
  // first, until the sample has its size. Sites are those of sites_of(site_directories).
  std::uint32_t per_site = 0;
  std::optional<std::uint32_t> site_directories = {};
};
inline constexpr double kAllPages = 4294967295;  // a size that limits nothing

// The number of pages. Throws Error(BadInput) if the size is negative or not a number.
std::size_t sample_size(const SampleOptions& options, Node page_count);

// The sample in the order in which it is tested: best first, or random.
std::vector<Node> sampled(const Population& pages, const SampleOptions& options,
                          std::uint64_t seed);

// The same for kinds that only count pages: Random and Systematic, without no_neighbours and
// per_site.
std::vector<Node> drawn_sample(const SampleOptions& options, Node page_count, std::uint64_t seed);

// How ties among scores are broken.
enum class TieRule : std::uint8_t { PageRank, Number, Random };
std::string_view to_string(TieRule rule) noexcept;
std::optional<TieRule> parse_tie_rule(std::string_view name) noexcept;
// For each page a value; the higher comes first.
std::vector<double> tie_values(const Population& pages, TieRule rule, std::uint64_t seed);

// Pages by score, highest first; equal ones by tie value, then by number.
std::vector<Node> ordered(const std::vector<double>& scores, const std::vector<double>& ties);
// The same of some pages, at most `count`.
void keep_best(std::vector<Node>& pages, std::size_t count, const std::vector<double>& scores,
               const std::vector<double>& ties);

}  // namespace webstrata
