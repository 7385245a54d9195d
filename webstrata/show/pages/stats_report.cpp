// SPDX-License-Identifier: Apache-2.0

// One function per picture, all from LinkStatistics: births and deaths and growth by year,
// lifetimes in classes that double, where links lead, and the menus with the targets that they
// share.
// Tested by tests/report/verbs_test.py.

#include "webstrata/show/pages/stats_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/human.h"

namespace webstrata {
namespace {

using report::ColumnKind;
using report::KeyFigures;
using report::Plot;
using report::PlotKind;
using report::Series;
using report::Table;

constexpr std::size_t kMenuTargetsShown = 200;  // of all menus together, in order of key

double to_double(std::uint64_t count) { return static_cast<double>(count); }

std::string share_text(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? "–" : fmt::format("{:.1f} %", 100 * to_double(part) / to_double(all));
}

KeyFigures key_figures(const LinkStatistics& stats) {
  return {{{"pages", human_number(stats.pages), human_number(stats.captures) + " captures"},
           {"links", human_number(stats.links), "different ones, over all time"},
           {"link facts", human_number(stats.link_facts), "links counted in each capture"},
           {"links born", human_number(stats.births),
            human_number(stats.returns) + " of them born again"},
           {"links died", human_number(stats.deaths), ""},
           {"menu links", share_text(stats.menu_links, stats.last_capture_links),
            "of the links of last captures"}}};
}

// "From 2021 to 2023, 3,201 links were born and 812 died; 93.4 % of the 10,407 links stay on their
// host."
std::string result_of(const LinkStatistics& stats) {
  if (stats.years.empty()) return "The archive has no captures.";
  const auto first = stats.years.begin()->first;
  const auto last = stats.years.rbegin()->first;
  const std::string when =
      first == last ? fmt::format("In {}", first) : fmt::format("From {} to {}", first, last);
  return fmt::format("{}, {} links were born and {} died; {} of the {} links stay on their host.",
                     when, human_number(stats.births), human_number(stats.deaths),
                     share_text(stats.same_directory + stats.same_host, stats.links),
                     human_number(stats.links));
}

// One bar for each year, from a count of that year.
template <typename Count>
Series by_year(const LinkStatistics& stats, const std::string& name, Count count) {
  Series series{.name = name};
  for (const auto& [year, counts] : stats.years) {
    series.x.push_back(to_double(series.x.size()));
    series.y.push_back(to_double(count(counts)));
  }
  return series;
}

std::vector<std::string> year_names(const LinkStatistics& stats) {
  std::vector<std::string> names;
  for (const auto& [year, counts] : stats.years) names.push_back(std::to_string(year));
  return names;
}

Plot births_and_deaths(const LinkStatistics& stats) {
  using Year = LinkStatistics::Year;
  return {.title = "Links born and died",
          .caption =
              "A link is born with the first capture of its page that has it after one that "
              "lacks it, and dies with the first that lacks it again; by the year of that "
              "capture.",
          .kind = PlotKind::Bar,
          .x = {.label = "year"},
          .y = {.label = "links"},
          .series = {by_year(stats, "born", [](const Year& year) { return year.births; }),
                     by_year(stats, "died", [](const Year& year) { return year.deaths; })},
          .categories = year_names(stats)};
}

Plot growth(const LinkStatistics& stats) {
  using Year = LinkStatistics::Year;
  return {.title = "Captures and new pages by year",
          .caption = "Captures made in each year, and how many of them were the first of a page.",
          .kind = PlotKind::Bar,
          .x = {.label = "year"},
          .y = {.label = "captures"},
          .series = {by_year(stats, "captures", [](const Year& year) { return year.captures; }),
                     by_year(stats, "new pages", [](const Year& year) { return year.new_pages; })},
          .categories = year_names(stats)};
}

Table year_table(const LinkStatistics& stats) {
  Table table{.title = "Years", .columns = {{.name = "year"}}};
  for (const char* name : {"captures", "new pages", "link facts", "links born", "links died"}) {
    table.columns.push_back({.name = name, .kind = ColumnKind::Number});
  }
  for (const auto& [year, counts] : stats.years) {
    table.rows.push_back({std::to_string(year), counts.captures, counts.new_pages,
                          counts.link_facts, counts.births, counts.deaths});
  }
  return table;
}

Series by_lifetime(const std::string& name, const std::vector<std::uint64_t>& counts) {
  Series series{.name = name};
  for (const std::uint64_t count : counts) {
    series.x.push_back(to_double(series.x.size()));
    series.y.push_back(to_double(count));
  }
  return series;
}

Plot lifetimes(const LinkStatistics& stats) {
  Plot plot{.title = "Lifetimes of links",
            .caption =
                "Days from the first to the last capture that has the link. Those in "
                "the page's last capture may live on, or have gone with their page.",
            .kind = PlotKind::Bar,
            .x = {.label = "days"},
            .y = {.label = "links"},
            .series = {by_lifetime("then died", stats.lifetime_days_ended),
                       by_lifetime("in the last capture", stats.lifetime_days_censored)}};
  const std::size_t classes =
      std::max(stats.lifetime_days_ended.size(), stats.lifetime_days_censored.size());
  for (std::size_t k = 0; k < classes; ++k) plot.categories.push_back(days_of_class(k));
  return plot;
}

Plot locality(const LinkStatistics& stats) {
  return {.title = "Where links lead",
          .caption = "Every different link once, by the nearest place that holds both its ends.",
          .kind = PlotKind::Bar,
          .x = {.label = "place"},
          .y = {.label = "links"},
          .series = {{.name = "links",
                      .x = {0, 1, 2, 3},
                      .y = {to_double(stats.same_directory), to_double(stats.same_host),
                            to_double(stats.same_domain), to_double(stats.elsewhere)}}},
          .categories = {"the same directory", "the same host", "the same registered domain",
                         "elsewhere"}};
}

Table menus(const LinkStatistics& stats) {
  Table table{.title = "Menus",
              .caption = "Hosts and directories most of whose pages link to the same targets.",
              .columns = {{.name = "place"},
                          {.name = "level"},
                          {.name = "pages", .kind = ColumnKind::Number},
                          {.name = "targets", .kind = ColumnKind::Number}}};
  for (const LinkStatistics::Menu& menu : stats.menus) {
    table.rows.push_back({menu.place, std::string(menu.is_global ? "host" : "directory"),
                          menu.pages, std::uint64_t{menu.targets.size()}});
  }
  return table;
}

Table menu_targets(const Archive& archive, const LinkStatistics& stats) {
  Table table{.title = "Targets of menus",
              .caption = fmt::format("In the order of keys, the first {}.", kMenuTargetsShown),
              .columns = {{.name = "place"}, {.name = "target", .kind = ColumnKind::Link}}};
  for (const LinkStatistics::Menu& menu : stats.menus) {
    for (const Uid target : menu.targets) {
      if (table.rows.size() == kMenuTargetsShown) return table;
      table.rows.push_back({menu.place, archive.url(target)});
    }
  }
  return table;
}

}  // namespace

std::string days_of_class(std::size_t k) {
  const std::uint64_t first = (std::uint64_t{1} << k) - 1;
  const std::uint64_t last = (std::uint64_t{1} << (k + 1)) - 2;
  return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

report::HtmlReport stats_report(const Archive& archive, const LinkStatistics& stats,
                                const std::string& name) {
  return {
      .title = "Links of " + name,
      .result = result_of(stats),
      .subtitle =
          "How the links of this archive are born, live and die, where they lead, and "
          "which of them are menus.",
      .generated_by = "webstrata stats " + name,
      .sections = {key_figures(stats), births_and_deaths(stats), growth(stats), year_table(stats),
                   lifetimes(stats), locality(stats), menus(stats), menu_targets(archive, stats)}};
}

}  // namespace webstrata
