// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/planners_test.cpp.

#include "webstrata/liverank/planners.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "webstrata/base/error.h"
#include "webstrata/liverank/planner_makers.h"

namespace webstrata {

const std::vector<PlannerEntry>& planners() {
  using enum PlannerClass;
  using enum PlannerSource;
  using enum Chance;
  const SampleOptions none{.size = 0, .size_min = 0};
  const SampleOptions percent{.kind = SampleKind::Random, .size = 0.01};
  // The papers' usual size is 1 %. 0.25 % for `auto` and LORE was chosen among five sizes; five
  // pages at least are enough where the prior guides the first rounds, twenty would cost a tenth of
  // the first tenth of a site of 2,332 pages (docs/METHODS.md, docs/decisions/013-auto.md).
  const SampleOptions few{.kind = SampleKind::Systematic, .size = 0.0025, .size_min = 5};
  const SampleOptions some{.kind = SampleKind::Systematic, .size = 0.0025, .size_min = 20};
  static const std::vector<PlannerEntry> all = {
      {"auto", "LORE from few tests; explores when it stops finding live pages", Dynamic, Ours,
       Order, few, make_auto_planner},
      {"lore", "learned from links, URLs and facts, with the answers of relatives", Dynamic, Ours,
       Order, some, make_lore_planner},
      {"pb", "PageRank masses of live and dead pages on links and URLs, as a Beta mean", Dynamic,
       Ours, Order, percent, make_pb_planner},
      {"pa-ratio", "PageRank from live pages over PageRank from dead ones", SampleBased, Papers,
       Sample, percent, make_pa_ratio_planner},
      {"pa", "PageRank from live pages", SampleBased, Papers, Sample, percent, make_pa_planner},
      {"asf", "active sites first: sites by the share of live pages", SampleBased, Papers, Order,
       percent, make_asf_planner},
      {"bfs", "along the links of live pages, breadth first", Dynamic, Papers, Sample, percent,
       make_bfs_planner},
      {"ai", "pages with most links from live pages", Dynamic, Papers, Sample, percent,
       make_ai_planner},
      {"recursive", "PageRank from its own best pages, again and again; a negative control",
       SampleBased, Papers, Sample, percent, make_recursive_planner},
      {"pagerank", "pages of high PageRank first", Static, Papers, None, none,
       make_pagerank_planner},
      {"indegree", "pages with many links to them first", Static, Papers, None, none,
       make_indegree_planner},
      {"random", "any order", Static, Papers, Order, none, make_random_planner},
  };
  return all;
}

std::string_view to_string(PlannerClass planner_class) noexcept {
  switch (planner_class) {
    case PlannerClass::Static:
      return "static";
    case PlannerClass::SampleBased:
      return "sample-based";
    case PlannerClass::Dynamic:
      return "dynamic";
  }
  return "";
}

const PlannerEntry& planner_entry(std::string_view name) {
  const auto place = std::ranges::find(planners(), name, &PlannerEntry::name);
  if (place != planners().end()) return *place;
  std::vector<std::string_view> names;
  for (const PlannerEntry& entry : planners()) names.push_back(entry.name);
  throw Error(ErrorKind::BadInput, fmt::format("no method is called {}: choose one of {}", name,
                                               fmt::join(names, ", ")));
}

std::unique_ptr<Planner> make_planner(std::string_view name, const Population& pages,
                                      PlannerOptions options) {
  const PlannerEntry& entry = planner_entry(name);
  if (!options.sample) options.sample = entry.sample;
  if (!(options.damping >= 0 && options.damping < 1)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("damping {}: it must be at least 0 and below 1", options.damping));
  }
  if (options.round && !(*options.round >= 0)) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("round {}: give a number of tests, or a share below 1", *options.round));
  }
  return entry.make(pages, options);
}

UniformTests uniform_tests(std::string_view name, const Population& pages,
                           const PlannerOptions& options) {
  const PlannerEntry& entry = planner_entry(name);
  if (entry.planner_class == PlannerClass::Static) {
    return {.count = entry.chance == Chance::Order ? pages.size() : 0};
  }
  const SampleOptions sample = options.sample.value_or(entry.sample);
  const bool is_systematic = sample.kind == SampleKind::Systematic;
  const bool is_uniform = is_systematic || sample.kind == SampleKind::Random;
  if (!is_uniform || sample.no_neighbours || sample.per_site > 0) return {};
  return {.count = sample_size(sample, pages.size()), .is_systematic = is_systematic};
}

}  // namespace webstrata
