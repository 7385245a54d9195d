// SPDX-License-Identifier: Apache-2.0

// Tested by tests/seeds/seed_methods_test.cpp.

#include "webstrata/seeds/seed_methods.h"

#include <fmt/format.h>

#include <utility>

#include "webstrata/base/counted.h"
#include "webstrata/base/error.h"
#include "webstrata/rank/pagerank.h"
#include "webstrata/seeds/pickers.h"

namespace webstrata {
namespace {

void check(const Snapshot& graph, const SeedOptions& options) {
  if (options.count == 0) throw Error(ErrorKind::BadInput, "number of seeds: at least 1");
  const std::size_t pages = pages_of(graph).size();
  if (pages == 0) {
    throw Error(ErrorKind::BadInput,
                "the graph has no pages to choose seeds from; is its time inside the archive's?");
  }
  if (options.count > pages) {
    throw Error(ErrorKind::BadInput, fmt::format("{} seeds: the graph has only {}", options.count,
                                                 counted(pages, "page", "pages")));
  }
  if (!options.pagerank.empty() && options.pagerank.size() != graph.node_count()) {
    throw Error(ErrorKind::BadInput, fmt::format("seeds: {} scores of PageRank for {} nodes",
                                                 options.pagerank.size(), graph.node_count()));
  }
}

}  // namespace

std::string_view to_string(SeedsEnd end) noexcept {
  switch (end) {
    case SeedsEnd::Count:
      return "count";
    case SeedsEnd::Tests:
      return "tests";
    case SeedsEnd::NoCandidates:
      return "no-candidates";
  }
  return "";
}

const std::vector<SeedMethod>& seed_methods() {
  static const std::vector<SeedMethod> all = {
      {"pandora", "pages likely to be alive that cover what matters within three links",
       make_pandora_picker},
      {"cores", "a hub of each bipartite core found by HITS (Daneshpajouh et al. 2008)",
       make_cores_picker},
      {"maxout", "most links to pages that no earlier seed links to", make_maxout_picker},
      {"outdegree", "most links", make_outdegree_picker},
      {"pagerank", "highest PageRank", make_pagerank_picker},
      {"random", "any pages", make_random_picker},
  };
  return all;
}

const SeedMethod& seed_method(std::string_view name) {
  std::string names;
  for (const SeedMethod& method : seed_methods()) {
    if (method.name == name) return method;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", method.name);
  }
  throw Error(ErrorKind::BadInput, fmt::format("seeds by {}: not one of {}", name, names));
}

SeedsResult choose_seeds(const Snapshot& graph, std::string_view method,
                         const SeedOptions& options) {
  const SeedMethod& chosen = seed_method(method);
  check(graph, options);
  const auto picker = chosen.make(graph, options);
  SeedsResult result;
  while (result.seeds.size() < options.count) {
    options.work.check_cancelled();
    if (options.tests_max > 0 && result.tests >= options.tests_max) {
      result.ended = SeedsEnd::Tests;
      break;
    }
    std::optional<SeedCandidate> candidate = picker->next();
    if (!candidate) {
      result.ended = SeedsEnd::NoCandidates;
      break;
    }
    bool is_alive = true;
    if (options.test) {
      is_alive = options.test(candidate->node);
      ++result.tests;
    }
    picker->learn(candidate->node, is_alive);
    result.candidates.push_back(candidate->node);
    (is_alive ? result.seeds : result.vanished).push_back(std::move(*candidate));
    if (options.work.progress) {
      options.work.progress({"choosing seeds", result.seeds.size(), options.count, "seeds"});
    }
  }
  result.cores.assign(picker->cores().begin(), picker->cores().end());
  return result;
}

std::vector<double> seed_scores(const Snapshot& graph, const WorkOptions& work, double tolerance) {
  PageRankOptions options;
  options.tolerance = tolerance;
  options.work = work;
  return pagerank(graph, options).scores;
}

}  // namespace webstrata
