// SPDX-License-Identifier: Apache-2.0

// Where to begin a crawl. Tested by tests/python/graph_test.py.

#include <set>

#include "python/core/bindings.h"
#include "python/core/long_work.h"
#include "webstrata/seeds/seed_methods.h"
#include "webstrata/show/seeds_page.h"

namespace webstrata {
namespace {

nb::list list_of(const Snapshot& graph, const std::vector<SeedCandidate>& candidates,
                 const std::set<Node>& forgotten) {
  nb::list all;
  for (const SeedCandidate& one : candidates) {
    if (forgotten.contains(one.node)) continue;
    all.append(nb::make_tuple(graph.name(one.node), one.node, one.score, one.why));
  }
  return all;
}

nb::list list_of(std::vector<BipartiteCore> cores, const std::set<Node>& forgotten) {
  nb::list all;
  for (BipartiteCore& core : cores) {
    const double density = core.cover_density();
    for (auto* side : {&core.hubs, &core.authorities}) {
      std::erase_if(*side, [&](Node node) { return forgotten.contains(node); });
    }
    all.append(nb::make_tuple(core.hubs, core.authorities, density));
  }
  return all;
}

// Where a page with pictures goes, and what it calls things.
struct SeedsReport {
  std::string path;  // empty: none is wanted
  std::string graph_name;
  std::string newer_name;
  std::string command;
};

void write_page(const Snapshot& graph, const std::string& by, const SeedOptions& options,
                const SeedsResult& result, const Snapshot* newer, const std::set<Node>& forgotten,
                const SeedsReport& report) {
  SeedsFound found;
  found.method = by;
  found.seed = options.seed;
  found.wanted = options.count;
  found.chosen = result;
  for (const SeedCandidate& seed : result.seeds) {
    if (forgotten.contains(seed.node)) continue;
    found.lines.push_back({graph.name(seed.node), seed.score, seed.why});
  }
  EvaluationOptions evaluation;
  evaluation.seed = options.seed;
  evaluation.work = options.work;
  const SeedsPage page = seeds_page(
      graph, found, {report.graph_name, report.command, newer, report.newer_name}, evaluation);
  report::write_html(seeds_report(graph, found, page), report.path);
}

// `is_alive` is called with the name of a page; None: every page is taken for alive.
nb::dict seeds(const Snapshot& graph, const std::string& by, std::uint64_t count,
               std::uint64_t seed, nb::object is_alive, std::optional<Snapshot> newer,
               std::uint64_t tests_max, double density, std::uint64_t size, bool inner_links,
               unsigned threads, nb::object progress, const std::vector<std::string>& archives,
               const SeedsReport& report) {
  const std::vector<Node> not_named = forgotten_in(graph, archives);
  const std::set<Node> forgotten(not_named.begin(), not_named.end());
  LongWork work(std::move(progress));
  SeedOptions options;
  options.count = count;
  options.seed = seed;
  options.tests_max = tests_max;
  options.extraction.core.cover_density = density;
  options.extraction.core.size = size;
  options.extraction.inner_links = inner_links;
  options.work = work.options(threads);
  if (newer) {
    options.test = survival_by_name(graph, *newer);
  } else if (!is_alive.is_none()) {
    options.test = [&](Node node) {
      if (forgotten.contains(node)) return false;
      bool answer = false;
      work.in_python([&] { answer = nb::cast<bool>(is_alive(graph.name(node))); });
      return answer;
    };
  }
  const SeedsResult result = work.run([&] {
    SeedsResult chosen = choose_seeds(graph, by, options);
    if (!report.path.empty()) {
      write_page(graph, by, options, chosen, newer ? &*newer : nullptr, forgotten, report);
    }
    return chosen;
  });
  nb::dict found;
  found["seeds"] = list_of(graph, result.seeds, forgotten);
  found["vanished"] = list_of(graph, result.vanished, forgotten);
  found["tests"] = result.tests;
  found["ended"] = std::string(to_string(result.ended));
  found["cores"] = list_of(result.cores, forgotten);
  return found;
}

}  // namespace

void bind_seeds(nb::module_& module) {
  nb::class_<SeedsReport>(module, "SeedsReport")
      .def(nb::init<std::string, std::string, std::string, std::string>(), "path"_a = "",
           "graph_name"_a = "", "newer_name"_a = "", "command"_a = "");
  module.def("seeds", seeds, "graph"_a, "by"_a, "count"_a, "seed"_a, "is_alive"_a.none(),
             "newer"_a.none(), "tests_max"_a, "density"_a, "size"_a, "inner_links"_a, "threads"_a,
             "progress"_a.none(), "archives"_a, "report"_a);
  module.def("seed_methods", [] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const SeedMethod& one : seed_methods()) all.emplace_back(one.name, one.summary);
    return all;
  });
}

}  // namespace webstrata
