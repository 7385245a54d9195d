// SPDX-License-Identifier: Apache-2.0

// Pages with pictures, the same as the command line's, and statistics.
// Tested by tests/python/reports_test.py.

#include <nanobind/ndarray.h>

#include "python/core/jobs_module.h"
#include "python/core/long_work.h"
#include "webstrata/show/pages/links_report.h"
#include "webstrata/show/pages/rank_report.h"
#include "webstrata/show/pages/stats_report.h"
#include "webstrata/show/stats_forms.h"
#include "webstrata/show/strata.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// As JSON. Writes a page called `name` to `report`, unless that is empty.
std::string stats(const Archive& archive, std::string_view kinds, double menu_share,
                  std::uint64_t menu_pages, unsigned threads, nb::object progress,
                  const std::string& report, const std::string& name, std::uint64_t patterns) {
  LongWork work(std::move(progress));
  StatisticsOptions options;
  options.menu_share = menu_share;
  options.menu_pages_min = menu_pages;
  options.scan = {.kinds = parse_kinds_word("kinds", kinds),
                  .work = {threads, work.progress(), work.cancel()}};
  return work.run([&] {
    const LinkStatistics found = link_statistics(archive, options);
    if (!report.empty()) report::write_html(stats_report(archive, found, name), report);
    FoundPatterns together;
    if (patterns > 0) {
      together = link_patterns(
          archive, {.scan = options.scan, .pages_min = menu_pages, .patterns_max = patterns});
    }
    return as_json(archive, found, together);
  });
}

LinkQuestion strata_question(bool is_in, const std::optional<Interval>& during,
                             std::string_view kinds) {
  LinkQuestion question;
  question.direction = is_in ? Direction::In : Direction::Out;
  if (during) question.during = interval_of(*during);
  question.kinds = parse_kinds_word("kinds", kinds);
  return question;
}

// As JSON.
std::string strata(const Archive& archive, const std::vector<Uid>& nodes, bool is_in,
                   const std::optional<Interval>& during, std::string_view kinds) {
  const LinkQuestion question = strata_question(is_in, during, kinds);
  const Presence found = presence(
      archive, nodes,
      {.direction = question.direction, .during = question.during, .kinds = question.kinds});
  return strata_as_json(strata_of(archive, nodes, question.direction, found));
}

// The whole page.
std::string strata_page(const Archive& archive, const std::vector<Uid>& nodes, bool is_in,
                        const std::optional<Interval>& during, std::string_view kinds,
                        const std::string& command) {
  return report::to_html(
      links_report(archive, nodes, strata_question(is_in, during, kinds), command));
}

RankedGraph ranked_graph(std::string name, std::string label, const Snapshot& graph,
                         const Doubles& scores, bool converged, double error_bound, int iterations,
                         double standard_error) {
  return {std::move(name), std::move(label), graph,
          RankingResult{{scores.data(), scores.data() + scores.size()},
                        converged,
                        error_bound,
                        iterations,
                        standard_error}};
}

void write_rank_report(const std::vector<RankedGraph*>& graphs, std::string ranking,
                       std::string level, std::string command, std::string chance,
                       const std::string& path) {
  std::vector<RankedGraph> all;
  for (const RankedGraph* one : graphs) all.push_back(*one);
  const RankPage page{std::move(ranking), std::move(level), std::move(command), std::move(chance)};
  report::write_html(rank_report(all, page), path);
}

}  // namespace

void bind_reports(nb::module_& module) {
  nb::class_<RankedGraph>(module, "RankedGraph");
  module.def("stats", stats, "archive"_a, "kinds"_a, "menu_share"_a, "menu_pages"_a, "threads"_a,
             "progress"_a.none(), "report"_a, "name"_a, "patterns"_a);
  module.def("strata", strata, "archive"_a, "nodes"_a, "is_in"_a, "during"_a.none(), "kinds"_a,
             nb::call_guard<nb::gil_scoped_release>());
  module.def("strata_page", strata_page, "archive"_a, "nodes"_a, "is_in"_a, "during"_a.none(),
             "kinds"_a, "command"_a, nb::call_guard<nb::gil_scoped_release>());
  module.def("ranked_graph", ranked_graph, "name"_a, "label"_a, "graph"_a, "scores"_a,
             "converged"_a, "error_bound"_a, "iterations"_a, "standard_error"_a);
  module.def("rank_report", write_rank_report, "graphs"_a, "ranking"_a, "level"_a, "command"_a,
             "chance"_a, "path"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace webstrata
