// SPDX-License-Identifier: Apache-2.0

// Crawls from the seeds are drawn by depth next to the mean, lowest and highest of crawls from
// random pages, for the old graph and for the newer one. Survival of candidates follows, and for
// cores the pictures of cores_pictures.h.
// Tested by tests/report/seeds_report_test.py.

#include "webstrata/show/pages/seeds_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/show/pages/cores_pictures.h"

namespace webstrata {
namespace {

using report::ColumnKind;
using report::KeyFigures;
using report::Plot;
using report::PlotKind;
using report::Scale;
using report::Series;
using report::Table;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string chance_of(const SeedsFound& found) { return fmt::format("Seed {}.", found.seed); }

// ---- what to see first --------------------------------------------------------------------------

// How much PageRank the first two steps of a crawl find.
void add_share(const SeedEvaluation& evaluation, const std::string& where, KeyFigures& figures) {
  if (evaluation.chosen.depths.size() < 3) return;
  figures.figures.push_back(
      {"PageRank within 2 links" + where, percent(evaluation.chosen.depths[2].score_so_far),
       percent(evaluation.random.depths[2].score_so_far) + " from random seeds"});
}

KeyFigures key_figures(const SeedsFound& found, const SeedsPage& page) {
  KeyFigures figures{{{"seeds", human_number(found.lines.size()),
                       fmt::format("of {} wanted", human_number(found.wanted))}}};
  if (found.chosen.tests > 0) {
    figures.figures.push_back({"tests", human_number(found.chosen.tests), "looks for a page"});
  }
  if (page.survival) {
    const auto& alive = page.survival->is_alive;
    figures.figures.push_back(
        {"candidates still there", human_number(std::ranges::count(alive, true)),
         fmt::format("of {}; {} of all pages", alive.size(), percent(page.survival->page_rate))});
  }
  if (page.distances && page.distances->mean) {
    figures.figures.push_back(
        {"links between cores", fmt::format("{:.2f}", *page.distances->mean),
         fmt::format("on average, {} to {}", *page.distances->nearest, *page.distances->farthest)});
  }
  add_share(page.evaluation, "", figures);
  if (page.newer) add_share(page.newer->evaluation, ", " + page.newer_name, figures);
  return figures;
}

// "From 10 seeds by pandora, two links lead to 34.5 % of all PageRank; from 10 random pages to 21
// %."
std::string result_of(const SeedsFound& found, const SeedsPage& page) {
  if (found.lines.empty()) return fmt::format("{} found no seeds.", found.method);
  const SeedEvaluation& evaluation = page.newer ? page.newer->evaluation : page.evaluation;
  if (evaluation.chosen.depths.empty()) return {};
  const std::size_t depth = std::min<std::size_t>(2, evaluation.chosen.depths.size() - 1);
  const std::string where = page.newer ? " in " + page.newer_name : "";
  std::string text = fmt::format(
      "From {} seeds by {}, {} link{} lead to {} of all PageRank{}; from as many random pages to "
      "{}",
      human_number(evaluation.seed_count), found.method, depth, depth == 1 ? "" : "s",
      percent(evaluation.chosen.depths[depth].score_so_far), where,
      percent(evaluation.random.depths[depth].score_so_far));
  if (page.survival) {
    const auto& alive = page.survival->is_alive;
    text += fmt::format(", and {} of {} candidates are still there",
                        human_number(std::ranges::count(alive, true)), alive.size());
  }
  return text + ".";
}

Table seed_table(const SeedsFound& found) {
  Table table{.title = "Seeds",
              .caption =
                  "In the order of choice. What a score means differs from method to "
                  "method; the reason says how.",
              .columns = {{.name = "order", .kind = ColumnKind::Number},
                          {.name = "url", .kind = ColumnKind::Link},
                          {.name = "score", .kind = ColumnKind::Number},
                          {.name = "reason"}}};
  for (const SeedLine& line : found.lines) {
    table.rows.push_back({std::uint64_t{table.rows.size() + 1}, line.url, line.score, line.why});
  }
  return table;
}

// Tables 1 and 2 of the paper, and the laws of the degrees if they were fitted.
void add_tables(const GraphTables& tables, const SeedsPage& page,
                std::vector<report::Section>& sections) {
  Table sizes{.title = "The graph",
              .caption = fmt::format("Size of {} before and after links within hosts are left out "
                                     "(Tables 1 and 2 of the paper).",
                                     page.graph_name),
              .columns = {{.name = "links that count"},
                          {.name = "nodes", .kind = ColumnKind::Number},
                          {.name = "links", .kind = ColumnKind::Number}},
              .rows = {{std::string("all"), tables.nodes, tables.links}}};
  if (tables.links_between_hosts) {
    sizes.rows.push_back({std::string("between hosts"), tables.nodes, *tables.links_between_hosts});
  }
  sections.push_back(std::move(sizes));
  Table laws{.title = "Power laws of degrees",
             .caption =
                 "The most likely exponent, its standard error, the degree from which on the law "
                 "holds best, the number of nodes from there on, the largest distance between the "
                 "law and those nodes, and the share of samples drawn from the law that are at "
                 "least as far from one: below 0.1 the law is rejected.",
             .columns = {{.name = "degree"},
                         {.name = "exponent", .kind = ColumnKind::Number},
                         {.name = "error", .kind = ColumnKind::Number},
                         {.name = "from", .kind = ColumnKind::Number},
                         {.name = "nodes", .kind = ColumnKind::Number},
                         {.name = "distance", .kind = ColumnKind::Number},
                         {.name = "p", .kind = ColumnKind::Number}}};
  const auto add = [&](const char* name, const std::optional<PowerLaw>& law) {
    if (!law) return;
    laws.rows.push_back({std::string(name), law->exponent, law->error, law->cutoff, law->tail,
                         law->distance, law->p_value.value_or(kUnknown)});
  };
  add("links to a node", tables.in_degrees);
  add("links of a node", tables.out_degrees);
  if (!laws.rows.empty()) sections.push_back(std::move(laws));
}

// ---- crawls from the seeds: Figures 7 to 12 -----------------------------------------------------

// A quantity of a depth, NaN where there is none.
using Quantity = double (*)(const CrawlDepth&);

double average_of(const CrawlDepth& depth) { return depth.pages > 0 ? depth.average() : kUnknown; }
double pages_of_depth(const CrawlDepth& depth) { return depth.pages; }
double share_of(const CrawlDepth& depth) { return depth.score_so_far; }

Series along_depths(const std::string& name, const CrawlProfile& profile, Quantity quantity) {
  Series series{.name = name};
  for (std::size_t depth = 0; depth < profile.depths.size(); ++depth) {
    series.x.push_back(static_cast<double>(depth));
    series.y.push_back(quantity(profile.depths[depth]));
  }
  return series;
}

// The mean of the random crawls, and the lowest and highest of them.
Series random_crawls(const SeedEvaluation& evaluation, Quantity quantity) {
  Series series = along_depths("random pages", evaluation.random, quantity);
  for (std::size_t depth = 0; depth < series.x.size(); ++depth) {
    double low = kUnknown;
    double high = kUnknown;
    for (const CrawlProfile& crawl : evaluation.random_crawls) {
      const double value = quantity(crawl.depths[depth]);
      low = std::fmin(low, value);  // of NaN and a number, the number
      high = std::fmax(high, value);
    }
    series.low.push_back(low);
    series.high.push_back(high);
  }
  return series;
}

struct CrawlPicture {
  std::string title;
  std::string what;  // begins the caption
  std::string label;
  Scale scale = Scale::Linear;
  Quantity quantity = nullptr;
};

Plot crawl_plot(const CrawlPicture& picture, const SeedEvaluation& evaluation,
                const SeedsFound& found, const std::string& graph_name) {
  return {.title = fmt::format("{}: {}", picture.title, graph_name),
          .caption = fmt::format("{} Crawls follow all links of {}, from {} seeds by {} and from "
                                 "as many random pages: the mean of {} such crawls, in a band from "
                                 "the lowest to the highest. {}",
                                 picture.what, graph_name, evaluation.seed_count, found.method,
                                 evaluation.random_crawls.size(), chance_of(found)),
          .kind = PlotKind::Line,
          .x = {.label = "depth"},
          .y = {.label = picture.label, .scale = picture.scale},
          .series = {along_depths(found.method, evaluation.chosen, picture.quantity),
                     random_crawls(evaluation, picture.quantity)}};
}

// `figures`: those of the paper that show the same.
void add_crawls(const SeedEvaluation& evaluation, const SeedsFound& found, const std::string& name,
                std::pair<std::string_view, std::string_view> figures,
                std::vector<report::Section>& sections) {
  const CrawlPicture pictures[] = {
      {"Average importance (PageRank) by depth",
       fmt::format(
           "PageRank of the pages first seen at each distance in links, on average ({} of the "
           "paper).",
           figures.first),
       "average PageRank", Scale::Linear, average_of},
      {"Pages by depth",
       fmt::format("Pages first seen at each distance in links ({} of the paper).", figures.second),
       "pages", Scale::Log, pages_of_depth},
      {"Importance (PageRank) found by depth",
       "Share of the PageRank of all pages that is found within each distance in links.", "share",
       Scale::Linear, share_of}};
  for (const CrawlPicture& picture : pictures) {
    sections.push_back(crawl_plot(picture, evaluation, found, name));
  }
}

// ---- old to new ---------------------------------------------------------------------------------

Plot survival_plot(const Snapshot& graph, const SeedsFound& found, const SeedsPage& page) {
  const SeedSurvival& survival = *page.survival;
  Series chosen{.name = found.method};
  Series random{.name = "random pages"};
  double alive = 0;
  for (std::size_t i = 0; i < survival.is_alive.size(); ++i) {
    const auto tried = static_cast<double>(i + 1);
    alive += survival.is_alive[i] ? 1 : 0;
    chosen.x.push_back(tried);
    chosen.y.push_back(alive);
    chosen.labels.push_back(fmt::format("{}: {}", survival.is_alive[i] ? "there" : "gone",
                                        graph.name(found.chosen.candidates[i])));
    random.x.push_back(tried);
    random.y.push_back(tried * survival.page_rate);
  }
  return {.title = fmt::format("Survival in {}", page.newer_name),
          .caption = fmt::format(
              "How many of the first candidates, in the order of choice, are still there in {}; "
              "and how many of as many pages at random would be: {} of {} pages of {} are. {}",
              page.newer_name, percent(survival.page_rate), human_number(survival.pages),
              page.graph_name, chance_of(found)),
          .kind = PlotKind::Line,
          .x = {.label = "candidates"},
          .y = {.label = "still there"},
          .series = {std::move(chosen), std::move(random)}};
}

}  // namespace

report::HtmlReport seeds_report(const Snapshot& graph, const SeedsFound& found,
                                const SeedsPage& page) {
  report::HtmlReport report{
      .title = fmt::format("Seeds from {} by {}", page.graph_name, found.method),
      .result = result_of(found, page),
      .subtitle =
          fmt::format("Where the next crawl may begin: {}.", seed_method(found.method).summary),
      .generated_by = page.command,
      .sections = {key_figures(found, page), seed_table(found)}};
  add_crawls(page.evaluation, found, page.graph_name, {"Figures 7 and 9", "Figures 8 and 10"},
             report.sections);
  if (page.survival) report.sections.push_back(survival_plot(graph, found, page));
  if (page.newer) {
    add_crawls(page.newer->evaluation, found, page.newer_name, {"Figure 11", "Figure 12"},
               report.sections);
  }
  add_tables(page.tables, page, report.sections);
  if (!page.distances) return report;
  for (auto& section : cores_pictures(graph, found, *page.distances, page.evaluation.distance.mean,
                                      chance_of(found))) {
    report.sections.push_back(std::move(section));
  }
  return report;
}

}  // namespace webstrata
