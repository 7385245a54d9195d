// SPDX-License-Identifier: Apache-2.0

// One page: its presence matrix as strata, and the births and deaths of its links. Many pages: only
// births and deaths, summed over all of them, and the pages that changed most. Times are drawn by
// month, or by year if there are many months.
// Tested by tests/report/strata_report_test.py.

#include "webstrata/show/pages/links_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/counted.h"
#include "webstrata/base/human.h"
#include "webstrata/show/strata.h"

namespace webstrata {
namespace {

using report::ColumnKind;
using report::HtmlReport;
using report::KeyFigures;
using report::Plot;
using report::PlotKind;
using report::Series;
using report::Table;

constexpr std::size_t kMonthsDrawn = 18;    // longer times are drawn by year
constexpr std::size_t kPagesListed = 1000;  // those whose links changed most

std::optional<TimeInterval> interval_of_question(const LinkQuestion& question) {
  if (question.at) return TimeInterval{kAllTime.first, *question.at};
  return question.during;
}

// ---- births and deaths over time ----------------------------------------------------------------

using ChurnMonths = std::map<std::string, LinkChurn::Month>;

std::string month_after(const std::string& month) {
  const int year = std::stoi(month.substr(0, 4));
  const int number = std::stoi(month.substr(5));
  return number == 12 ? fmt::format("{:04}-01", year + 1)
                      : fmt::format("{:04}-{:02}", year, number + 1);
}

// By month, or by year if there are many months; periods without captures are there, too.
ChurnMonths periods_of(const ChurnMonths& months) {
  ChurnMonths periods;
  if (months.empty()) return periods;
  const std::string& last = months.rbegin()->first;
  for (std::string month = months.begin()->first; month <= last; month = month_after(month)) {
    periods[month];
    if (periods.size() > kMonthsDrawn) break;
  }
  const bool by_year = periods.size() > kMonthsDrawn;
  if (by_year) periods.clear();
  for (int year = std::stoi(months.begin()->first); by_year && year <= std::stoi(last); ++year) {
    periods[fmt::format("{:04}", year)];
  }
  for (const auto& [month, counts] : months) {
    LinkChurn::Month& sum = periods[by_year ? month.substr(0, 4) : month];
    sum.captures += counts.captures;
    sum.new_pages += counts.new_pages;
    sum.births += counts.births;
    sum.deaths += counts.deaths;
  }
  return periods;
}

using PeriodCount = std::uint64_t LinkChurn::Month::*;

Plot by_period(const ChurnMonths& periods, std::string title, std::string caption, std::string unit,
               const std::vector<std::pair<std::string, PeriodCount>>& counts) {
  Plot plot{.title = std::move(title),
            .caption = std::move(caption),
            .kind = PlotKind::Bar,
            .x = {.label = "captured"},
            .y = {.label = std::move(unit)}};
  for (const auto& [name, count] : counts) plot.series.push_back({.name = name});
  for (const auto& [period, sums] : periods) {
    const auto x = static_cast<double>(plot.categories.size());
    plot.categories.push_back(period);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      plot.series[i].x.push_back(x);
      plot.series[i].y.push_back(static_cast<double>(sums.*counts[i].second));
    }
  }
  return plot;
}

Plot births_and_deaths_of(const ChurnMonths& periods) {
  return by_period(periods, "Links born and died",
                   "A link is born with a capture that has it after one that lacks it, and dies "
                   "with the first that lacks it again. The first capture of a page counts for "
                   "neither.",
                   "links",
                   {{"born", &LinkChurn::Month::births}, {"died", &LinkChurn::Month::deaths}});
}

// ---- one page -----------------------------------------------------------------------------------

std::string year_text(Time time) { return to_rfc3339(time).substr(0, 4); }

// "in 2021", "from 1996 to 2026"
std::string years_text(Time first, Time last) {
  const std::string from = year_text(first);
  const std::string to = year_text(last);
  return from == to ? "in " + from : fmt::format("from {} to {}", from, to);
}

std::uint64_t present_at_end(const Presence& found) {
  return static_cast<std::uint64_t>(std::ranges::count_if(found.rows, [&](const PresenceRow& row) {
    return row.runs.back().first + row.runs.back().count == found.times.size();
  }));
}

std::string strata_result(const Presence& found, Direction direction) {
  if (found.rows.empty()) return "No capture has a link.";
  const std::string when = years_text(found.times.front(), found.times.back());
  const std::uint64_t links = found.rows.size() + found.left_out;
  if (direction == Direction::In) {
    return fmt::format("{} linked here {}.", counted(links, "page", "pages"), when);
  }
  return fmt::format("{} in {} {}; {} of them are in the last capture.",
                     counted(links, "link", "links"),
                     counted(found.times.size(), "capture", "captures"), when,
                     human_number(present_at_end(found)));
}

KeyFigures strata_figures(const Presence& found) {
  const auto always = std::ranges::count_if(
      found.rows, [&](const PresenceRow& row) { return row.captures == found.times.size(); });
  const auto returned =
      std::ranges::count_if(found.rows, [](const PresenceRow& row) { return row.runs.size() > 1; });
  return {{{"captures", human_number(found.times.size()), "with known links"},
           {"links", human_number(found.rows.size() + found.left_out), "different ones"},
           {"in every capture", human_number(static_cast<std::uint64_t>(always)), ""},
           {"in the last capture", human_number(present_at_end(found)), ""},
           {"came back", human_number(static_cast<std::uint64_t>(returned)),
            "missing in a capture, then there again"}}};
}

// ---- many pages ---------------------------------------------------------------------------------

struct ChurnTotals {
  std::uint64_t captures = 0;
  std::uint64_t births = 0;
  std::uint64_t deaths = 0;
};

ChurnTotals totals_of(const LinkChurn& churn) {
  ChurnTotals totals;
  for (const LinkChurn::Page& page : churn.pages) {
    totals.captures += page.captures;
    totals.births += page.births;
    totals.deaths += page.deaths;
  }
  return totals;
}

std::string churn_result(const LinkChurn& churn, const ChurnTotals& totals) {
  if (churn.pages.empty()) return "None of these pages was captured.";
  TimeInterval span = churn.pages.front().span;
  for (const LinkChurn::Page& page : churn.pages) {
    span = {std::min(span.first, page.span.first), std::max(span.last, page.span.last)};
  }
  return fmt::format("{} links were born and {} died on {} {}.", human_number(totals.births),
                     human_number(totals.deaths), counted(churn.pages.size(), "page", "pages"),
                     years_text(span.first, span.last));
}

Table changed_pages(const Archive& archive, const LinkChurn& churn) {
  std::vector<LinkChurn::Page> pages = churn.pages;
  const auto changes = [](const LinkChurn::Page& page) { return page.births + page.deaths; };
  std::ranges::stable_sort(pages, std::ranges::greater{}, changes);
  if (pages.size() > kPagesListed) pages.resize(kPagesListed);
  Table table{
      .title = "Pages",
      .caption = churn.pages.size() > kPagesListed
                     ? fmt::format("The {} whose links changed most, of {}.",
                                   human_number(kPagesListed), human_number(churn.pages.size()))
                     : "Those whose links changed most come first.",
      .columns = {{.name = "page", .kind = ColumnKind::Link},
                  {.name = "captures", .kind = ColumnKind::Number},
                  {.name = "links born", .kind = ColumnKind::Number},
                  {.name = "links died", .kind = ColumnKind::Number},
                  {.name = "links last", .kind = ColumnKind::Number},
                  {.name = "first captured"},
                  {.name = "last captured"}}};
  for (const LinkChurn::Page& page : pages) {
    table.rows.push_back({archive.url(page.uid), page.captures, page.births, page.deaths,
                          page.links_last, to_rfc3339(page.span.first),
                          to_rfc3339(page.span.last)});
  }
  return table;
}

}  // namespace

HtmlReport links_report(const Archive& archive, std::span<const Uid> nodes,
                        const LinkQuestion& question, const std::string& command) {
  const auto during = interval_of_question(question);
  const Presence found = presence(
      archive, nodes, {.direction = question.direction, .during = during, .kinds = question.kinds});
  const bool is_out = question.direction == Direction::Out;
  HtmlReport page{.title = (is_out ? "Links of " : "Links to ") + archive.url(nodes.front()),
                  .result = strata_result(found, question.direction),
                  .subtitle = is_out ? "Which links this page had, and when."
                                     : "Which pages linked to this one, and when.",
                  .generated_by = command};
  if (is_out) page.sections.push_back(strata_figures(found));
  page.sections.push_back(strata_of(archive, nodes, question.direction, found));
  if (is_out) {
    const LinkChurn churn = link_churn(archive, nodes, during, question.kinds);
    page.sections.push_back(births_and_deaths_of(periods_of(churn.months)));
  }
  return page;
}

HtmlReport churn_report(const Archive& archive, std::span<const Uid> nodes,
                        const LinkQuestion& question, const std::string& word,
                        const std::string& command) {
  const LinkChurn churn =
      link_churn(archive, nodes, interval_of_question(question), question.kinds);
  const ChurnTotals totals = totals_of(churn);
  const ChurnMonths periods = periods_of(churn.months);
  return {.title = "Links of " + word,
          .result = churn_result(churn, totals),
          .subtitle = "When the links of these pages appeared and disappeared.",
          .generated_by = command,
          .sections = {
              KeyFigures{{{"pages", human_number(churn.pages.size()), "captured"},
                          {"captures", human_number(totals.captures), ""},
                          {"links born", human_number(totals.births), ""},
                          {"links died", human_number(totals.deaths), ""}}},
              births_and_deaths_of(periods),
              by_period(periods, "Captures and new pages",
                        "Captures made, and how many of them were the first of a page.", "captures",
                        {{"captures", &LinkChurn::Month::captures},
                         {"new pages", &LinkChurn::Month::new_pages}}),
              changed_pages(archive, churn)}};
}

}  // namespace webstrata
