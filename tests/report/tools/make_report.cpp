// SPDX-License-Identifier: Apache-2.0

// make_report KIND FILE: the pages that browser_test.py opens.
//   sample   every part once, with numbers that the test knows
//   hostile  what crawls may contain, everywhere a text can stand
//   empty    parts without data
//   large    a table of 100,000 rows and a plot of 5,000 points

#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <string>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/report/html_report.h"
#include "webstrata/report/layout.h"

namespace webstrata::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// ---- sample -------------------------------------------------------------------------------------

Plot line_plot() {
  Plot plot{.title = "Pages reached by depth",
            .caption =
                "Share of the PageRank mass within so many links of the seeds; the band holds "
                "95 of 100 random choices.",
            .kind = PlotKind::Line,
            .x = {.label = "depth"},
            .y = {.label = "share of mass"}};
  const char* names[] = {"pandora-ris", "cores", "random"};
  for (int method = 0; method < 3; ++method) {
    Series series{.name = names[method]};
    for (int depth = 0; depth <= 6; ++depth) {
      const double share = 1 - std::exp(-(0.7 - 0.2 * method) * depth);
      series.x.push_back(depth);
      series.y.push_back(share);
      if (method < 2) continue;
      series.low.push_back(share * 0.9);
      series.high.push_back(share * 1.1);
    }
    plot.series.push_back(series);
  }
  plot.series[1].y[3] = kNan;  // a gap
  return plot;
}

Plot scatter_plot() {
  Plot plot{.title = "In-degree and PageRank",
            .caption = "Each dot is a page; both axes are logarithmic.",
            .kind = PlotKind::Scatter,
            .x = {.label = "in-degree", .scale = Scale::Log},
            .y = {.label = "PageRank", .scale = Scale::Log}};
  Random random(7);
  const char* names[] = {"python-werkzeug-doc.docs.example", "python-quart-doc.docs.example"};
  for (int host = 0; host < 2; ++host) {
    Series series{.name = names[host]};
    for (int i = 0; i < 120; ++i) {
      const double degree = std::floor(std::exp(random.unit() * 8));
      series.x.push_back(degree);
      series.y.push_back(1e-6 * std::pow(degree, 0.8) * (0.5 + random.unit()));
      series.labels.push_back("http://" + series.name + "/page/" + std::to_string(i) + ".html");
    }
    plot.series.push_back(series);
  }
  plot.series[0].x[0] = 0;  // cannot be shown on a log axis
  return plot;
}

Plot bar_plot() {
  return {.title = "Links born and died",
          .caption = "By the year of the capture that first has, or first lacks, the link.",
          .kind = PlotKind::Bar,
          .x = {.label = "year"},
          .y = {.label = "links"},
          .series = {{.name = "born", .x = {0, 1, 2, 3}, .y = {1200, 3400, 2100, 5200}},
                     {.name = "died", .x = {0, 1, 2, 3}, .y = {300, 1900, 2500, 900}}},
          .categories = {"2019", "2020", "2021", "2022"}};
}

Plot sideways_plot() {
  return {.title = "Where links lead",
          .caption = "Union of all captures.",
          .kind = PlotKind::Bar,
          .x = {.label = "place"},
          .y = {.label = "links"},
          .series = {{.name = "kept", .x = {0, 1, 2}, .y = {120000, 61000, 8000}},
                     {.name = "new", .x = {0, 1, 2}, .y = {20000, 31000, 2000}}},
          .categories = {"the same directory", "the same host", "the same registered domain"},
          .stacked = true};
}

Plot time_plot() {
  Plot plot{.title = "Rank by date",
            .caption = "Ten pages over four years.",
            .x = {.label = "date", .scale = Scale::Time},
            .y = {.label = "score"}};
  for (int page = 0; page < 10; ++page) {
    Series series{.name = "page " + std::to_string(page + 1)};
    for (int month = 0; month < 48; ++month) {
      series.x.push_back(1546300800.0 + month * 2629746.0);
      series.y.push_back(page + std::sin(month / 6.0 + page));
    }
    plot.series.push_back(series);
  }
  return plot;
}

Drawing core_drawing() {
  constexpr std::size_t kCount = 8;
  std::vector<double> distances(kCount * kCount, kNan);
  Drawing drawing{.title = "Distances between cores",
                  .caption =
                      "A node is a core, labelled by its iteration; a link's label is the "
                      "shortest way in links."};
  for (std::size_t i = 0; i < kCount; ++i) {
    for (std::size_t j = 0; j < kCount; ++j) {
      const double around = std::abs(static_cast<double>(i) - static_cast<double>(j));
      if (i != j && (i + j) % 3 != 0) distances[i * kCount + j] = 1 + std::floor(around / 2);
    }
  }
  const auto places = stress_layout(distances, kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    drawing.nodes.push_back({.x = places[i].x,
                             .y = places[i].y,
                             .label = std::to_string(i + 1),
                             .size = 5.0 + static_cast<double>(i),
                             .note = "hubs 12, authorities 34"});
    for (std::size_t j = 0; j < kCount; ++j) {
      if (!std::isfinite(distances[i * kCount + j])) continue;
      drawing.links.push_back(
          {.from = i,
           .to = j,
           .label = std::to_string(static_cast<int>(distances[i * kCount + j]))});
    }
  }
  return drawing;
}

Table top_table() {
  Table table{.title = "Top pages",
              .caption = "By PageRank, damping 0.85.",
              .columns = {{.name = "rank", .kind = ColumnKind::Number},
                          {.name = "page", .kind = ColumnKind::Link},
                          {.name = "score", .kind = ColumnKind::Number},
                          {.name = "survival", .kind = ColumnKind::Percent},
                          {.name = "note"}}};
  for (std::uint64_t i = 0; i < 60; ++i) {
    table.rows.push_back({i + 1, "http://docs.example/page/" + std::to_string(i * 37 % 60),
                          1e-3 / static_cast<double>(i + 1), static_cast<double>(i % 7) / 7,
                          i % 5 == 0 ? Cell("=1+1, \"quoted\"") : Cell()});
  }
  table.rows[3][2] = kInfinity;
  table.rows[4][2] = kNan;
  return table;
}

HtmlReport sample() {
  return {.title = "Every part of a report",
          .subtitle =
              "Made-up numbers: this page shows each kind of picture once, and the tests know "
              "what must be on it.",
          .generated_by = "make_report sample",
          .sections = {KeyFigures{{{"pages", "1,234", "of 2 hosts"},
                                   {"links", "56,789", ""},
                                   {"median lifetime", "410 days", "of links that died"},
                                   {"menus", "31 %", "of last captures' links"}}},
                       Text{"How to read it", "First paragraph.\n\nSecond paragraph."}, line_plot(),
                       scatter_plot(), bar_plot(), sideways_plot(), time_plot(), core_drawing(),
                       top_table()}};
}

// ---- hostile ------------------------------------------------------------------------------------

const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> all = {
      "javascript:document.title='owned'",
      "JaVaScRiPt:alert(1)",
      "data:text/html,<script>alert(1)</script>",
      "\"><script>alert(1)</script>",
      "</script><script>alert(1)</script>",
      "</title></style><img src=x onerror=alert(1)>",
      "<!--<script>",
      "http://evil.example/\"onmouseover=\"alert(1)",
      "http://evil.example/</script><img src=http://evil.example/x.png onerror=alert(1)>",
      "https://user:pass@evil.example/?a=1&amp;b=<b>bold</b>",
      "http://evil.example/\xe2\x80\xae"
      "gpj.exe",
      "\xe2\x80\xa8line\xe2\x80\xa9separators",
      "\xff\xfe not UTF-8 \xc3",
      std::string("zero \0 byte", 11),
      "{{constructor.constructor('alert(1)')()}} ${alert(1)} {0} {title}",
      "__proto__",
      "=HYPERLINK(\"http://evil.example\")",
      "http://evil.example/" + std::string(10000, 'a') + "<script>alert(1)</script>",
  };
  return all;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text.substr(0, 300) + "\n";
  return all;
}

HtmlReport hostile() {
  const auto& texts = hostile_texts();
  const std::string all = joined(texts);
  HtmlReport page{.title = all, .subtitle = all, .generated_by = all};
  Series series{.name = all};
  Drawing drawing{.title = all, .caption = all};
  Table table{.title = all,
              .caption = all,
              .columns = {{.name = texts[4], .kind = ColumnKind::Link}, {.name = texts[3]}}};
  KeyFigures figures;
  for (const std::string& text : texts) {
    const auto n = static_cast<double>(series.x.size());
    series.x.push_back(n);
    series.y.push_back(n);
    series.labels.push_back(text);
    drawing.nodes.push_back({.x = n, .y = n * n, .label = text, .note = text});
    drawing.links.push_back({.from = 0, .to = drawing.nodes.size() - 1, .label = text});
    table.rows.push_back({text, text});
    figures.figures.push_back({text, text, text});
  }
  Plot plot{.title = all, .caption = all, .kind = PlotKind::Scatter};
  plot.x.label = texts[4];
  plot.y.label = texts[5];
  plot.series = {series, series};
  Plot bars = plot;
  bars.kind = PlotKind::Bar;
  bars.categories = texts;
  page.sections = {figures, Text{all, all}, plot, bars, drawing, table};
  return page;
}

// ---- others -------------------------------------------------------------------------------------

HtmlReport empty() {
  return {.title = "Nothing",
          .sections = {KeyFigures{}, Text{}, Plot{.title = "no series"},
                       Plot{.title = "only gaps",
                            .kind = PlotKind::Bar,
                            .series = {{.name = "gaps", .x = {1, 2}, .y = {kNan, kInfinity}}}},
                       Plot{.title = "one point",
                            .kind = PlotKind::Scatter,
                            .series = {{.name = "one", .x = {5}, .y = {5}}}},
                       Drawing{.title = "no nodes"},
                       Drawing{.title = "one node", .nodes = {{.label = "alone"}}},
                       Table{.title = "no rows", .columns = {{.name = "a"}}}, Table{}}};
}

HtmlReport large() {
  Table table{.title = "Many rows",
              .columns = {{.name = "n", .kind = ColumnKind::Number},
                          {.name = "page", .kind = ColumnKind::Link}}};
  for (std::uint64_t n = 0; n < 100'000; ++n) {
    table.rows.push_back({n, "https://docs.example/" + std::to_string(n)});
  }
  Plot plot{.title = "Many points", .kind = PlotKind::Scatter};
  plot.series = {{.name = "spiral"}};
  for (int i = 0; i < 5000; ++i) {
    plot.series[0].x.push_back(i * std::cos(i * std::numbers::pi / 500));
    plot.series[0].y.push_back(i * std::sin(i * std::numbers::pi / 500));
  }
  return {.title = "Large", .sections = {plot, table}};
}

}  // namespace
}  // namespace webstrata::report

int main(int count, char** words) {
  using namespace webstrata::report;
  const std::map<std::string, std::function<HtmlReport()>> kinds = {
      {"sample", sample}, {"hostile", hostile}, {"empty", empty}, {"large", large}};
  if (count != 3 || !kinds.contains(words[1])) {
    std::fprintf(stderr, "make_report sample|hostile|empty|large FILE\n");
    return 2;
  }
  try {
    write_html(kinds.at(words[1])(), words[2]);
  } catch (const webstrata::Error& error) {
    std::fprintf(stderr, "make_report: %s\n", error.what());
    return 2;
  }
  return 0;
}
