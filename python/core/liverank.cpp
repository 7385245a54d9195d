// SPDX-License-Identifier: Apache-2.0

// Which old pages still live. Tested by tests/python/graph_test.py, tests/python/jobs_test.py.

#include <algorithm>

#include "python/core/jobs_module.h"
#include "python/core/long_work.h"
#include "webstrata/arrow/table.h"
#include "webstrata/jobs/live_run.h"
#include "webstrata/jobs/probe_settings.h"
#include "webstrata/liverank/planners.h"
#include "webstrata/liverank/run.h"
#include "webstrata/liverank/truth.h"
#include "webstrata/show/liverank_study.h"

namespace webstrata {
namespace {

template <typename Value>
Value or_refuse(std::optional<Value> value, const char* flag, std::string_view word,
                const char* words) {
  if (!value) refuse(std::string(flag) + " " + std::string(word) + ": not " + words);
  return *value;
}

Outcome outcome_of(std::string_view word) {
  return or_refuse(parse_outcome(word), "outcome", word,
                   "alive, moved, blocked, unreachable, gone, soft-gone or unknown");
}

// What is looked for, and among which pages.
struct Field {
  Snapshot graph;
  Population pages;
  TruthOptions truth;
  std::optional<UrlLevel> domains;  // once a run gives up dead ones

  const UrlLevel* domains_for(std::uint32_t tests) {
    if (tests > 0 && !domains) domains = url_domains(pages.graph);
    return domains ? &*domains : nullptr;
  }
  [[nodiscard]] Node page(std::string_view url) const {
    const auto found = pages.graph.find(url);
    if (!found) throw Error(ErrorKind::NotFound, std::string(url) + ": not a page of the graph");
    return *found;
  }
};

std::shared_ptr<Field> make_field(const Snapshot& graph, std::string_view target,
                                  std::string_view same, std::string_view scope, bool undirected,
                                  unsigned threads, nb::object progress) {
  LongWork work(std::move(progress));
  if (scope != "captured" && scope != "all") {
    refuse("scope " + std::string(scope) + ": not captured or all");
  }
  auto field = std::make_shared<Field>();
  field->graph = graph;
  field->truth.target = or_refuse(parse_target(target), "target", target,
                                  "present, moved, unchanged, changed or active");
  field->truth.same =
      or_refuse(parse_sameness(same), "same", same, "auto, text, payload, links or text+links");
  PopulationOptions options;
  options.scope = scope == "all" ? Scope::All : Scope::Captured;
  options.undirected = undirected;
  options.work = work.options(threads);
  field->pages = work.run([&] { return population_of(graph, options); });
  return field;
}

// A planner with the pages that it speaks of.
struct NamedPlanner {
  std::shared_ptr<Field> field;
  std::string method;
  PlannerOptions options;
  std::unique_ptr<Planner> planner;
  std::vector<Node> forgotten;  // pages that it never names
};

std::shared_ptr<NamedPlanner> planner_of(std::shared_ptr<Field> field, std::string method,
                                         std::uint64_t seed, std::optional<std::string> sample,
                                         std::optional<double> sample_size, bool no_neighbours,
                                         std::optional<std::string> ties,
                                         std::optional<double> round, std::uint64_t sample_min,
                                         const std::vector<std::string>& archives,
                                         std::uint32_t per_site) {
  PlannerOptions options;
  options.seed = seed;
  options.round = round;
  if (ties)
    options.ties = or_refuse(parse_tie_rule(*ties), "ties", *ties, "pagerank, number or random");
  if (sample || sample_size || no_neighbours || sample_min > 0 || per_site > 0) {
    options.sample = planner_entry(method).sample;
    if (sample)
      options.sample->kind = or_refuse(parse_sample_kind(*sample), "sample", *sample,
                                       "random, indegree, pagerank or systematic");
    if (per_site > 0) {
      const bool is_random = !sample || options.sample->kind == SampleKind::Random;
      if (!is_random || no_neighbours) refuse("per_site: such a sample is random");
      options.sample = SampleOptions{.size = kAllPages, .size_min = 0, .per_site = per_site};
    }
    if (sample_size) options.sample->size = *sample_size;
    options.sample->no_neighbours = no_neighbours;
    options.sample->size_min = std::max(options.sample->size_min, sample_min);
  }
  auto planner = make_planner(method, field->pages, options);
  std::vector<Node> forgotten = forgotten_in(field->pages.graph, archives);
  planner->leave_out(forgotten);
  return std::make_shared<NamedPlanner>(NamedPlanner{std::move(field), std::move(method), options,
                                                     std::move(planner), std::move(forgotten)});
}

std::vector<std::string> next_urls(NamedPlanner& self, std::optional<std::size_t> count) {
  std::vector<std::string> names;
  for (const Node page : self.planner->next(count.value_or(self.planner->batch_size()))) {
    names.push_back(self.field->pages.graph.name(page));
  }
  return names;
}

std::uint64_t learn_found(NamedPlanner& self,
                          const std::vector<std::pair<std::string, std::string>>& answers) {
  std::vector<Finding> findings;
  for (const auto& [url, word] : answers) {
    const Outcome outcome = outcome_of(word);
    findings.push_back(
        {self.field->page(url), outcome, verdict_of(outcome, self.field->truth.target)});
  }
  return self.planner->learn(findings).learned;
}

nb::list why(NamedPlanner& self, std::string_view url) {
  nb::list reasons;
  for (const Reason& reason : self.planner->why(self.field->page(url))) {
    reasons.append(nb::make_tuple(reason.what, reason.value, reason.weight));
  }
  return reasons;
}

struct NamedRun {
  std::shared_ptr<Field> field;
  LiveRun run;
  std::uint64_t pages = 0;            // the size of the population
  std::optional<std::uint64_t> live;  // of the truth, if all of it is known
  std::string method;
  std::uint64_t seed = 1;
  std::shared_ptr<const Truth> truth = {};  // null: the truth is known only through tests
  bool truth_is_whole = true;               // false: what probes found, and not of all pages
  std::uint64_t requests = 0;               // of probes
  std::vector<std::filesystem::path> files = {};
  std::vector<Probed> asked = {};  // by probes
};

struct RunLimits {
  std::optional<std::uint64_t> budget;
  double alpha = 1;
  double price = 0;
  std::uint32_t dead_host_tests = 0;
  std::uint32_t dead_domain_tests = 0;
};

RunOptions options_of(const NamedPlanner& self, const RunLimits& limits, LongWork& work) {
  const Population& pages = self.field->pages;
  RunOptions options;
  options.budget = limits.budget;
  options.alpha = limits.alpha;
  options.price = limits.price;
  options.dead_host_tests = limits.dead_host_tests;
  options.dead_domain_tests = limits.dead_domain_tests;
  if (!pages.levels.empty()) {
    options.hosts = &pages.levels.front();
    options.origins = &pages.origins;
    options.domains = self.field->domains_for(limits.dead_domain_tests);
  }
  sample_for_estimate(options, self.method, pages, self.options);
  options.work = work.options(0);
  return options;
}

NamedRun named(const NamedPlanner& self, LiveRun run) {
  return {self.field, std::move(run), self.field->pages.size() - self.forgotten.size(),
          {},         self.method,    self.options.seed,
          {}};
}

NamedRun run_with(NamedPlanner& self, Oracle& oracle, const RunLimits& limits, LongWork& work) {
  const RunOptions options = options_of(self, limits, work);
  return named(self, work.run([&] { return run_planner(*self.planner, oracle, options); }));
}

// `ask` is called with the name of a page and gives the word of an outcome.
NamedRun run_asking(NamedPlanner& self, const nb::object& ask, const RunLimits& limits,
                    nb::object progress) {
  LongWork work(std::move(progress));
  const Field& field = *self.field;
  Oracle oracle([&](Node page) {
    Finding finding{page, Outcome::Unknown, Verdict::Undecided};
    work.in_python([&] {
      finding.outcome = outcome_of(nb::cast<std::string>(ask(field.pages.graph.name(page))));
    });
    finding.verdict = verdict_of(finding.outcome, field.truth.target);
    return finding;
  });
  return run_with(self, oracle, limits, work);
}

NamedRun run_knowing(NamedPlanner& self, Truth known, const RunLimits& limits,
                     nb::object progress) {
  LongWork work(std::move(progress));
  const auto whole = std::make_shared<const Truth>(std::move(known));
  const Truth& truth = *whole;
  Oracle oracle(truth.ask());
  NamedRun run = run_with(self, oracle, limits, work);
  run.live = truth.live - std::ranges::count_if(self.forgotten, [&](Node page) {
               return truth.findings[page].verdict == Verdict::Live;
             });
  run.truth = whole;
  return run;
}

NamedRun run_against(NamedPlanner& self, const Snapshot& newer, const RunLimits& limits,
                     nb::object progress) {
  Truth truth = truth_of(self.field->pages, self.field->graph, newer, self.field->truth);
  return run_knowing(self, std::move(truth), limits, std::move(progress));
}

// What the list does not name is `otherwise`.
Truth listed_truth(const Field& field,
                   const std::vector<std::pair<std::string, std::string>>& outcomes,
                   std::string_view otherwise) {
  TruthList list(field.pages, field.truth);
  for (const auto& [url, word] : outcomes) list.add({url, outcome_of(word), std::nullopt});
  return list.finish(outcome_of(otherwise));
}

NamedRun run_listed(NamedPlanner& self,
                    const std::vector<std::pair<std::string, std::string>>& outcomes,
                    std::string_view otherwise, const RunLimits& limits, nb::object progress) {
  return run_knowing(self, listed_truth(*self.field, outcomes, otherwise), limits,
                     std::move(progress));
}

// The web answers. `words` are settings of a probe; what was found is compared with `archive`,
// unless that is empty.
NamedRun run_on_the_web(NamedPlanner& self, const NamedWords& words, const std::string& archive,
                        const RunLimits& limits, nb::object progress) {
  LongWork work(std::move(progress));
  ProbeJobOptions how = probe_options_of(words, work);
  how.seed = self.options.seed;
  const RunOptions options = options_of(self, limits, work);
  return work.run([&] {
    const auto known =
        archive.empty() ? nullptr : std::make_shared<const Archive>(Archive::open(archive));
    ProbeOracle probes(how, known, self.field->pages, self.field->truth.target);
    NamedRun run = named(self, run_probing(*self.planner, probes, options));
    run.files = probes.finish();
    probes.forget_files();
    run.requests = probes.requests();
    run.asked = probes.asked();
    run.truth = std::make_shared<const Truth>(probes.truth());
    run.truth_is_whole = run.run.tests + run.run.settled >= run.pages;
    if (run.truth_is_whole) run.live = run.truth->live;
    return run;
  });
}

// Costs of several methods, as JSON. Writes a page to `report`, unless that is empty. The truth is
// a newer graph, or a list and what holds for all others.
std::string compare_planners_with(const Field& field, const std::optional<Snapshot>& newer,
                                  const std::vector<std::pair<std::string, std::string>>& outcomes,
                                  std::string_view otherwise, const std::string& methods,
                                  std::uint64_t seed, std::uint32_t seeds, unsigned threads,
                                  const std::string& report, const std::string& graph_name,
                                  const std::string& truth_name, std::uint64_t per_day,
                                  nb::object progress) {
  LongWork work(std::move(progress));
  ComparisonOptions options;
  options.first_seed = seed;
  options.seeds = seeds;
  options.work = work.options(threads);
  return work.run([&] {
    const Truth truth = newer ? truth_of(field.pages, field.graph, *newer, field.truth)
                              : listed_truth(field, outcomes, otherwise);
    const ComparisonTable table = compare_contestants(
        field.pages, truth, named_contestants(methods), options, !report.empty());
    if (!report.empty()) {
      const LivePage page{
          graph_name,
          truth_name,
          "webstrata liverank " + graph_name + " --truth " + truth_name + " --compare " + methods,
          field.truth.target,
          per_day,
          &field.pages,
          &truth};
      report::write_html(comparison_report(page, table), report);
    }
    return as_json(table);
  });
}

void write_report(const NamedRun& self, const std::string& path, const std::string& graph_name,
                  const std::string& truth_name, const std::string& command,
                  std::uint64_t per_day) {
  if (!self.truth) {
    refuse("a report needs the whole truth: a newer graph, or the outcomes of all pages");
  }
  const Population& pages = self.field->pages;
  LiveReport found;
  found.method = self.method;
  found.seed = self.seed;
  found.target = self.field->truth.target;
  found.pages = pages.size();
  found.links = pages.graph.link_count();
  found.truth = self.truth.get();
  found.run = &self.run;
  found.truth_is_whole = self.truth_is_whole;
  const LivePage page{
      graph_name, truth_name, command,     found.target,
      per_day,    &pages,     found.truth, self.asked.empty() ? nullptr : &self.asked};
  report::write_html(run_report(page, found), path);
}

arrow::Table tests_of(const NamedRun& self) {
  arrow::TextBuilder url;
  arrow::BoolBuilder live;
  for (std::size_t i = 0; i < self.run.order.size(); ++i) {
    url.add(self.field->pages.graph.name(self.run.order[i]));
    live.add(self.run.live[i] != 0);
  }
  return {{url.finish("url"), live.finish("live")}};
}

nb::dict outcomes_of(const NamedRun& self) {
  nb::dict counts;
  for (std::size_t i = 0; i < self.run.outcomes.size(); ++i) {
    if (self.run.outcomes[i] == 0) continue;
    counts[nb::cast(std::string(to_string(static_cast<Outcome>(i))))] = self.run.outcomes[i];
  }
  return counts;
}

void bind_run(nb::module_& module) {
  nb::class_<NamedRun>(module, "LiveRun")
      .def_prop_ro("tests", [](const NamedRun& self) { return self.run.tests; })
      .def_prop_ro("found", [](const NamedRun& self) { return self.run.found; })
      .def_prop_ro("settled", [](const NamedRun& self) { return self.run.settled; })
      .def_prop_ro("ended",
                   [](const NamedRun& self) { return std::string(to_string(self.run.ended)); })
      .def_prop_ro("live", [](const NamedRun& self) { return self.live; })
      .def_prop_ro("pages", [](const NamedRun& self) { return self.pages; })
      .def_prop_ro("outcomes", outcomes_of)
      .def_prop_ro("requests", [](const NamedRun& self) { return self.requests; })
      .def_prop_ro("files", [](const NamedRun& self) { return names_of(self.files); })
      .def_prop_ro("estimate",
                   [](const NamedRun& self) -> nb::object {
                     if (!self.run.estimate) return nb::none();
                     const Estimate& estimate = *self.run.estimate;
                     return nb::make_tuple(estimate.value, estimate.low, estimate.high);
                   })
      .def("table", tests_of)
      .def("report", write_report, "path"_a, "graph_name"_a, "truth_name"_a, "command"_a,
           "per_day"_a = 0, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "cost",
          [](const NamedRun& self, double alpha, std::uint64_t live) {
            return self.run.curve.cost(alpha, live);
          },
          "alpha"_a, "live"_a)
      .def(
          "area",
          [](const NamedRun& self, std::uint64_t live) { return self.run.curve.area(live); },
          "live"_a);
  nb::class_<RunLimits>(module, "RunLimits")
      .def(nb::init<std::optional<std::uint64_t>, double, double, std::uint32_t, std::uint32_t>(),
           "budget"_a = nb::none(), "alpha"_a = 1.0, "price"_a = 0.0, "dead_host_tests"_a = 0,
           "dead_domain_tests"_a = 0);
}

}  // namespace

void bind_liverank(nb::module_& module) {
  bind_run(module);
  nb::class_<Field>(module, "Field").def_prop_ro("size", [](const Field& self) {
    return self.pages.size();
  });
  module.def("field", make_field, "graph"_a, "target"_a, "same"_a, "scope"_a, "undirected"_a,
             "threads"_a, "progress"_a = nb::none());
  nb::class_<NamedPlanner>(module, "Planner")
      .def("next", next_urls, "count"_a = nb::none())
      .def("learn", learn_found, "answers"_a)
      .def("why", why, "url"_a)
      .def_prop_ro("live_count",
                   [](const NamedPlanner& self) { return self.planner->live_count(); })
      .def_prop_ro("decided_count",
                   [](const NamedPlanner& self) { return self.planner->decided().size(); })
      .def("run_asking", run_asking, "ask"_a, "limits"_a, "progress"_a = nb::none())
      .def("run_against", run_against, "newer"_a, "limits"_a, "progress"_a = nb::none())
      .def("run_listed", run_listed, "outcomes"_a, "otherwise"_a, "limits"_a,
           "progress"_a = nb::none())
      .def("run_on_the_web", run_on_the_web, "words"_a, "archive"_a, "limits"_a,
           "progress"_a = nb::none());
  module.def("compare_planners", compare_planners_with, "field"_a, "newer"_a.none(), "outcomes"_a,
             "otherwise"_a, "methods"_a, "seed"_a, "seeds"_a, "threads"_a, "report"_a,
             "graph_name"_a, "truth_name"_a, "per_day"_a, "progress"_a = nb::none());
  module.def("planner", planner_of, "field"_a, "method"_a, "seed"_a, "sample"_a = nb::none(),
             "sample_size"_a = nb::none(), "no_neighbours"_a = false, "ties"_a = nb::none(),
             "round"_a = nb::none(), "sample_min"_a = 0, "archives"_a = std::vector<std::string>(),
             "per_site"_a = 0);
  module.def("planners", [] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const PlannerEntry& one : planners()) all.emplace_back(one.name, one.summary);
    return all;
  });
  // Whether the page is there; None: the outcome does not tell.
  module.def("verdict_of", [](std::string_view outcome) -> std::optional<bool> {
    const Verdict verdict = verdict_of(outcome_of(outcome), Target::Present);
    if (verdict == Verdict::Undecided) return std::nullopt;
    return verdict == Verdict::Live;
  });
  module.def("outcome_of_status", [](int status) {
    return std::string(to_string(outcome_of_status(status, status >= 300 && status < 400)));
  });
}

}  // namespace webstrata
