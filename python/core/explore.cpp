// SPDX-License-Identifier: Apache-2.0

// What a crawl under a budget finds, simulated on a known graph.
// Tested by tests/python/explore_test.py.

#include <nanobind/ndarray.h>

#include <set>
#include <tuple>

#include "python/core/bindings.h"
#include "python/core/long_work.h"
#include "webstrata/arrow/table.h"
#include "webstrata/explore/explore_found.h"
#include "webstrata/explore/recrawl_plan.h"
#include "webstrata/explore/seed_sets.h"
#include "webstrata/explore/simulator.h"
#include "webstrata/graph/score_columns.h"
#include "webstrata/show/explore_study.h"
#include "webstrata/words/scope_word.h"

namespace webstrata {
namespace {

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<double> copy_of(const Doubles& values) {
  return {values.data(), values.data() + values.size()};
}

TieBreak ties_of(std::string_view word) {
  for (const TieBreak rule : {TieBreak::First, TieBreak::NodeSum, TieBreak::Random}) {
    if (word == to_string(rule)) return rule;
  }
  refuse("ties " + std::string(word) + ": not first, nh-n or random");
}

// What a crawl is told beside its budget.
struct CrawlWords {
  std::string value = "sum";
  std::uint64_t seed = 1;
  std::uint64_t refresh = 1;
  double greedy = 1;
  double slack = 0;
  std::string ties = "first";
  bool without_seeds = false;
  std::optional<std::uint64_t> switch_steps;
  double damping = 0.2;
  std::string first = "nh-ne-sum";
  std::vector<std::string> experts;  // empty: the default
  std::string scope = "captured";
};

// The part of the graph that is in scope, with the scores of its links.
SimulatedWeb web_of(const Snapshot& graph, const Doubles& node_scores, const Doubles& link_scores,
                    const std::string& scope) {
  SimulatedWeb all(graph, copy_of(node_scores), copy_of(link_scores));
  const Snapshot kept = within_scope(graph, parse_scope_word("scope", scope));
  if (kept.link_count() == graph.link_count()) return all;
  std::vector<double> of_links;
  for (Node node = 0; node < kept.node_count(); ++node) {
    for (const Node target : kept.successors(node)) {
      of_links.push_back(all.link_scores()[*graph.find_link(node, target)]);
    }
  }
  return {kept, copy_of(node_scores), std::move(of_links)};
}

ExploreOptions options_of(const CrawlWords& words, std::uint64_t budget, LongWork& work,
                          unsigned threads) {
  if (budget == 0) refuse("budget 0: a crawl needs at least one page");
  if (words.refresh == 0) refuse("refresh 0: at least one page is chosen at a time");
  ExploreOptions options;
  options.budget = budget;
  options.refresh = words.refresh;
  options.value = set_function(words.value);
  options.strategy = {words.greedy, words.slack, words.seed};
  options.estimator.seed = words.seed;
  options.estimator.ties = ties_of(words.ties);
  options.estimator.without_seeds = words.without_seeds;
  options.estimator.switch_steps = words.switch_steps;
  options.estimator.nr_damping = words.damping;
  options.estimator.hybrid_first = words.first;
  if (!words.experts.empty()) options.estimator.experts = words.experts;
  options.work = work.options(threads);
  return options;
}

// A crawl with the graph that it went through.
struct NamedCrawl {
  Snapshot graph;
  std::uint64_t budget = 0;
  std::vector<Node> seeds;
  ExploreRun run;
  double oracle_value = 0;  // of a crawl that knows all scores, from the same seeds
  std::optional<OfflineOptimum> optimum;
  std::set<Node> forgotten;  // never named
};

// Without seeds they are drawn by score.
NamedCrawl crawl(const Snapshot& graph, const std::string& by, std::uint64_t budget,
                 const Doubles& node_scores, const Doubles& link_scores,
                 const std::optional<std::vector<Node>>& seeds, std::uint64_t set_size,
                 double score_above, const CrawlWords& words, unsigned threads, nb::object progress,
                 const std::vector<std::string>& archives, bool optimum) {
  LongWork work(std::move(progress));
  estimator_entry(by);
  const ExploreOptions options = options_of(words, budget, work, threads);
  const SimulatedWeb web = web_of(graph, node_scores, link_scores, words.scope);
  return work.run([&] {
    NamedCrawl found{graph, budget, seeds.value_or(std::vector<Node>()), {}, 0, {}, {}};
    for (const Node node : forgotten_in(graph, archives)) found.forgotten.insert(node);
    if (!seeds) {
      const SeedSetOptions draw{1, set_size, score_above, words.seed};
      found.seeds = draw_seed_sets(web.node_scores(), draw).front();
    }
    ExploreFound crawled = explored(web, by, words.value, found.seeds, options, optimum);
    found.run = std::move(crawled.run);
    found.oracle_value = crawled.oracle_value;
    found.optimum = std::move(crawled.optimum);
    return found;
  });
}

// Crawls by several estimators, as JSON. Writes a page to `report`, unless that is empty.
std::string compare(const Snapshot& graph, const std::string& estimators, std::uint64_t budget,
                    const Doubles& node_scores, const Doubles& link_scores, std::uint64_t sets,
                    std::uint64_t set_size, double score_above, const CrawlWords& words,
                    unsigned threads, nb::object progress, const std::string& report,
                    const std::string& name, const std::string& topic, bool optimum,
                    const std::string& strategies, const std::string& refreshes) {
  LongWork work(std::move(progress));
  const ExploreOptions options = options_of(words, budget, work, threads);
  const std::vector<Contender> all = compared_contenders(estimators, options);
  const ComparisonParts parts{.figures = !report.empty(),
                              .optimum = optimum,
                              .strategies = parse_strategies_word("strategies", strategies),
                              .refreshes = parse_refreshes_word("refreshes", refreshes)};
  const SimulatedWeb web = web_of(graph, node_scores, link_scores, words.scope);
  return work.run([&] {
    const SeedSetOptions draw{sets, set_size, score_above, words.seed};
    const StudyOptions study{.budget = budget, .seed = words.seed, .work = options.work};
    const ExploreComparison found =
        compare_contenders(web, draw_seed_sets(web.node_scores(), draw), all, study, parts);
    if (!report.empty()) {
      const std::string command = comparison_command(name, topic, estimators, found.study);
      report::write_html(explore_report(found, explore_page(web, name, topic, command)), report);
    }
    return as_json(found);
  });
}

std::vector<std::string> crawl_names(const NamedCrawl& self, const std::vector<Node>& nodes) {
  std::vector<std::string> names;
  for (const Node node : nodes) {
    if (!self.forgotten.contains(node)) names.push_back(self.graph.name(node));
  }
  return names;
}

arrow::Table table_of(const NamedCrawl& self) {
  arrow::TextBuilder url;
  std::vector<double> scores;
  std::vector<double> values;
  for (std::size_t i = 0; i < self.run.order.size(); ++i) {
    if (self.forgotten.contains(self.run.order[i])) continue;
    url.add(self.graph.name(self.run.order[i]));
    scores.push_back(self.run.scores[i]);
    values.push_back(self.run.values[i]);
  }
  return {{url.finish("url"), arrow::number_column("score", std::move(scores)),
           arrow::number_column("value", std::move(values))}};
}

RecrawlPolicy policy_of(std::string_view word) {
  std::string names;
  for (const RecrawlPolicyEntry& entry : recrawl_policies()) {
    if (word == entry.name) return entry.policy;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  refuse("policy " + std::string(word) + ": not one of " + names);
}

// Visits of known and new pages: url, visits, gain, whether it is new.
arrow::Table recrawl(const Snapshot& graph, const std::string& by, std::uint64_t budget,
                     double days, std::string_view policy, const Doubles& node_scores,
                     const Doubles& link_scores, const CrawlWords& words, unsigned threads,
                     nb::object progress, const std::vector<std::string>& archives, bool off_site) {
  LongWork work(std::move(progress));
  if (by == "oracle") refuse("by oracle: the scores of pages to come are not known");
  if (!(days > 0)) refuse("days: the time must be longer than 0");
  estimator_entry(by);
  RecrawlOptions options{.budget = budget,
                         .days = days,
                         .policy = policy_of(policy),
                         .off_site = off_site,
                         .estimator = options_of(words, budget, work, threads).estimator};
  options.estimator.budget = budget;
  const SimulatedWeb web(graph, copy_of(node_scores), copy_of(link_scores));
  return work.run([&] {
    const std::vector<Node> not_named = forgotten_in(graph, archives);
    const std::set<Node> forgotten(not_named.begin(), not_named.end());
    arrow::TextBuilder url;
    std::vector<double> visits;
    std::vector<double> gains;
    arrow::BoolBuilder is_new;
    for (const PlannedPage& page : plan_recrawl(web, by, options).pages) {
      if (forgotten.contains(page.node)) continue;
      url.add(graph.name(page.node));
      visits.push_back(page.visits);
      gains.push_back(page.gain);
      is_new.add(page.is_new);
    }
    return arrow::Table{{url.finish("url"), arrow::number_column("visits", std::move(visits)),
                         arrow::number_column("gain", std::move(gains)), is_new.finish("new")}};
  });
}

std::vector<double> known_or_0(const Column<double>& column, std::uint64_t count) {
  std::vector<double> values(count);
  for (std::uint64_t i = 0; i < count; ++i) values[i] = column[i].value_or(0);
  return values;
}

// Scores of the nodes and links of a graph, as an archive keeps them; what has none scores 0.
std::pair<arrow::Column, arrow::Column> topic(const Archive& archive, const Snapshot& graph,
                                              const std::string& name) {
  const Column<double> nodes = node_scores_of(archive, graph, name);
  const Snapshot scored = with_scores(archive, graph, name);
  const auto links = scored.link_columns().scores.find(name);
  std::vector<double> of_links(graph.link_count());
  if (links != scored.link_columns().scores.end()) {
    of_links = known_or_0(links->second, graph.link_count());
  }
  return {arrow::number_column("score", known_or_0(nodes, graph.node_count())),
          arrow::number_column("score", std::move(of_links))};
}

void bind_crawl(nb::module_& module) {
  nb::class_<NamedCrawl>(module, "Crawl")
      .def_prop_ro("budget", [](const NamedCrawl& self) { return self.budget; })
      .def_prop_ro("steps", [](const NamedCrawl& self) { return self.run.order.size(); })
      .def_prop_ro("seeds", [](const NamedCrawl& self) { return crawl_names(self, self.seeds); })
      .def_prop_ro("order",
                   [](const NamedCrawl& self) { return crawl_names(self, self.run.order); })
      .def_prop_ro("value", [](const NamedCrawl& self) { return self.run.value_at(self.budget); })
      .def_prop_ro("seeds_value", [](const NamedCrawl& self) { return self.run.seeds_value; })
      .def_prop_ro("oracle_value", [](const NamedCrawl& self) { return self.oracle_value; })
      .def_prop_ro("optimum",
                   [](const NamedCrawl& self) -> std::optional<std::tuple<double, double, bool>> {
                     if (!self.optimum) return std::nullopt;
                     return std::tuple(self.run.seeds_value + self.optimum->value,
                                       self.run.seeds_value + self.optimum->bound,
                                       self.optimum->is_exact);
                   })
      .def_prop_ro("frontier", [](const NamedCrawl& self) { return self.run.frontier_end; })
      .def_prop_ro("ended",
                   [](const NamedCrawl& self) { return std::string(to_string(self.run.ended)); })
      .def("table", table_of);
  nb::class_<CrawlWords>(module, "CrawlWords")
      .def(nb::init<std::string, std::uint64_t, std::uint64_t, double, double, std::string, bool,
                    std::optional<std::uint64_t>, double, std::string, std::vector<std::string>,
                    std::string>(),
           "value"_a, "seed"_a, "refresh"_a, "greedy"_a, "slack"_a, "ties"_a, "without_seeds"_a,
           "switch_steps"_a.none(), "damping"_a, "first"_a,
           "experts"_a = std::vector<std::string>(), "scope"_a = "captured");
}

}  // namespace

void bind_explore(nb::module_& module) {
  bind_crawl(module);
  module.def("explore", crawl, "graph"_a, "by"_a, "budget"_a, "node_scores"_a, "link_scores"_a,
             "seeds"_a.none(), "set_size"_a, "score_above"_a, "words"_a, "threads"_a,
             "progress"_a = nb::none(), "archives"_a = std::vector<std::string>(),
             "optimum"_a = false);
  module.def("compare_estimators", compare, "graph"_a, "estimators"_a, "budget"_a, "node_scores"_a,
             "link_scores"_a, "sets"_a, "set_size"_a, "score_above"_a, "words"_a, "threads"_a,
             "progress"_a.none(), "report"_a, "name"_a, "topic"_a, "optimum"_a, "strategies"_a,
             "refreshes"_a);
  module.def("recrawl", recrawl, "graph"_a, "by"_a, "budget"_a, "days"_a, "policy"_a,
             "node_scores"_a, "link_scores"_a, "words"_a, "threads"_a, "progress"_a.none(),
             "archives"_a, "off_site"_a);
  module.def("topic", topic, "archive"_a, "graph"_a, "name"_a,
             nb::call_guard<nb::gil_scoped_release>());
  module.def("estimators", [] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const EstimatorEntry& one : estimators()) all.emplace_back(one.name, one.summary);
    return all;
  });
}

}  // namespace webstrata
