// SPDX-License-Identifier: Apache-2.0

// Where to begin a crawl. Tested by tests/python/graph_test.py.

#include <set>

#include "python/core/bindings.h"
#include "python/core/long_work.h"
#include "webstrata/base/error.h"
#include "webstrata/graph/hand_over.h"
#include "webstrata/seeds/seed_methods.h"
#include "webstrata/show/seeds_page.h"
#include "webstrata/words/scope_word.h"

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

// What else may be wanted of a choice of seeds.
struct SeedsWishes {
  std::optional<Snapshot> replace;  // vanished seeds are replaced by pages of this graph
  bool evaluates = false;           // on `evaluate`, or on the graph of the seeds
  std::optional<Snapshot> evaluate;
  std::optional<std::uint32_t> depth_max;  // of the evaluation
  std::string report;                      // a page with pictures; empty: none is wanted
  std::string graph_name;
  std::string newer_name;
  std::string command;
  bool fits_degrees = false;
  std::uint32_t bootstrap = 100;   // samples
  std::string scope = "captured";  // of the evaluation
};

EvaluationOptions evaluation_options(const SeedOptions& options, const SeedsWishes& wishes) {
  EvaluationOptions evaluation;
  if (wishes.depth_max) evaluation.depth_max = *wishes.depth_max;
  evaluation.seed = options.seed;
  evaluation.captured_only = parse_scope_word("scope", wishes.scope) == Scope::Captured;
  evaluation.work = options.work;
  return evaluation;
}

void write_page(const Snapshot& graph, const SeedsFound& found, const SeedOptions& options,
                const Snapshot* newer, const SeedsWishes& wishes) {
  SeedsPageParts parts{wishes.graph_name, wishes.command, newer, wishes.newer_name};
  if (wishes.evaluates && wishes.evaluate) parts.newer_evaluation = &*found.evaluated;
  if (wishes.evaluates && !wishes.evaluate && !wishes.replace) {
    parts.evaluation = &found.evaluated->evaluation;
  }
  const SeedsPage page = seeds_page(graph, found, parts, evaluation_options(options, wishes));
  report::write_html(seeds_report(graph, found, page), wishes.report);
}

SeedsFound found_seeds(const Snapshot& graph, const std::string& by, const SeedOptions& options,
                       const Snapshot* truth, const HandOver& hand_over,
                       const SeedsWishes& wishes) {
  SeedsFound found;
  found.method = by;
  found.seed = options.seed;
  found.wanted = options.count;
  found.chosen = choose_seeds(graph, by, options);
  if (wishes.replace) {
    add_replaced(graph, *wishes.replace, found);
  } else {
    add_chosen(graph, found);
  }
  leave_out_forgotten(found, hand_over);
  if (wishes.fits_degrees) {
    GraphTablesOptions tables{.fits_degrees = true};
    tables.fit = {wishes.bootstrap, options.seed, options.work};
    found.tables = graph_tables(graph, tables);
  }
  if (wishes.evaluates) {
    found.evaluated = evaluated_on(wishes.evaluate ? *wishes.evaluate : graph, found,
                                   evaluation_options(options, wishes));
  }
  // The newer graph of a page: what the seeds are evaluated on, or else were tested with.
  const Snapshot* newer = wishes.evaluate  ? &*wishes.evaluate
                          : truth          ? truth
                          : wishes.replace ? &*wishes.replace
                                           : nullptr;
  if (!wishes.report.empty()) write_page(graph, found, options, newer, wishes);
  return found;
}

// The page that vanished, what replaces it (None: nothing), why, and the share of common links.
nb::list replacements_of(const SeedsFound& found, const SeedsWishes& wishes,
                         const HandOver& hand_over) {
  nb::list all;
  for (std::size_t i = 0; i < found.replacements.size(); ++i) {
    const Replacement& one = found.replacements[i];
    if (!hand_over.may_name(found.replaced_names[i])) continue;
    const std::string name = one.node ? wishes.replace->name(*one.node) : "";
    const bool is_named = one.node && hand_over.may_name(name);
    all.append(nb::make_tuple(found.replaced_names[i], is_named ? nb::cast(name) : nb::none(),
                              std::string(to_string(one.reason)), one.similarity));
  }
  return all;
}

// `is_alive` is called with the name of a page; None: every page is taken for alive.
nb::dict seeds(const Snapshot& graph, const std::string& by, std::uint64_t count,
               std::uint64_t seed, nb::object is_alive, std::optional<Snapshot> newer,
               std::uint64_t tests_max, double density, std::uint64_t size, bool inner_links,
               unsigned threads, nb::object progress, const std::vector<std::string>& archives,
               const SeedsWishes& wishes, int iterations, double tolerance, bool cold_start) {
  const std::vector<Node> not_named = forgotten_in(graph, archives);
  const std::set<Node> forgotten(not_named.begin(), not_named.end());
  parse_scope_word("scope", wishes.scope);
  HandOver hand_over;
  for (const std::string& archive : archives) hand_over.ask(archive);
  LongWork work(std::move(progress));
  SeedOptions options;
  options.count = count;
  options.seed = seed;
  options.tests_max = tests_max;
  options.extraction.core.cover_density = density;
  options.extraction.core.size = size;
  options.extraction.inner_links = inner_links;
  options.extraction.hits_iterations = iterations;
  options.extraction.hits_tolerance = tolerance;
  options.extraction.cold_start = cold_start;
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
  const SeedsFound all = work.run([&] {
    return found_seeds(graph, by, options, newer ? &*newer : nullptr, hand_over, wishes);
  });
  nb::dict found;
  found["seeds"] = list_of(graph, all.chosen.seeds, forgotten);
  found["vanished"] = list_of(graph, all.chosen.vanished, forgotten);
  found["tests"] = all.chosen.tests;
  found["ended"] = std::string(to_string(all.chosen.ended));
  found["cores"] = list_of(all.chosen.cores, forgotten);
  nb::list urls;
  for (const SeedLine& line : all.lines) urls.append(text_of(line.url));
  found["urls"] = urls;
  found["replaced"] = replacements_of(all, wishes, hand_over);
  found["graph"] = wishes.fits_degrees ? nb::cast(tables_as_json(*all.tables)) : nb::none();
  found["evaluation"] = all.evaluated ? nb::cast(evaluation_as_json(*all.evaluated)) : nb::none();
  return found;
}

}  // namespace

void bind_seeds(nb::module_& module) {
  nb::class_<SeedsWishes>(module, "SeedsWishes")
      .def(
          "__init__",
          [](SeedsWishes* self, std::optional<Snapshot> replace, bool evaluates,
             std::optional<Snapshot> evaluate, std::optional<std::uint32_t> depth_max,
             std::string report, std::string graph_name, std::string newer_name,
             std::string command, bool fits_degrees, std::uint32_t bootstrap, std::string scope) {
            new (self) SeedsWishes{std::move(replace),    evaluates,
                                   std::move(evaluate),   depth_max,
                                   std::move(report),     std::move(graph_name),
                                   std::move(newer_name), std::move(command),
                                   fits_degrees,          bootstrap,
                                   std::move(scope)};
          },
          "replace"_a.none(), "evaluates"_a, "evaluate"_a.none(), "depth_max"_a.none(), "report"_a,
          "graph_name"_a, "newer_name"_a, "command"_a, "fits_degrees"_a, "bootstrap"_a, "scope"_a);
  module.def("seeds", seeds, "graph"_a, "by"_a, "count"_a, "seed"_a, "is_alive"_a.none(),
             "newer"_a.none(), "tests_max"_a, "density"_a, "size"_a, "inner_links"_a, "threads"_a,
             "progress"_a.none(), "archives"_a, "wishes"_a, "iterations"_a, "tolerance"_a,
             "cold_start"_a);
  module.def("seed_methods", [] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const SeedMethod& one : seed_methods()) all.emplace_back(one.name, one.summary);
    return all;
  });
}

}  // namespace webstrata
