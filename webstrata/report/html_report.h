// SPDX-License-Identifier: Apache-2.0

// A report: tables, plots and drawings on one self-contained HTML page.
//
//   report::HtmlReport page{.title = "Links of lib.ws",
//                           .result = "The archive grew by half in 2023.",
//                           .generated_by = "webstrata stats"};
//   page.sections.push_back(report::Plot{.title = "Growth",
//                                        .x = {.label = "year"},
//                                        .y = {.label = "pages", .scale = report::Scale::Log},
//                                        .series = {{.name = "new", .x = years, .y = pages}}});
//   report::write_html(page, "growth.html");
//
// Every text may come from a crawl: it is shown as text, never read as markup, and only URLs of
// http and https become links. Numbers that are not finite are gaps. docs/report.md shows the
// parts.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace webstrata::report {

// A heading, and paragraphs separated by empty lines; either may be empty.
struct Text {
  std::string title = {};
  std::string text = {};
};

// The few numbers to see first, as text: {"links", "1,234,567", "of 12 captures"}.
struct KeyFigures {
  struct Figure {
    std::string label = {};
    std::string value = {};
    std::string note = {};
  };
  std::vector<Figure> figures = {};
};

// Time counts seconds since 1970. On a Log axis, numbers that are not above zero are left out, and
// the page says how many.
enum class Scale : std::uint8_t { Linear, Log, Time };

struct Axis {
  std::string label = {};
  Scale scale = Scale::Linear;
  bool downward = false;  // the smallest value on top, as for ranks; not for bars
};

// One point for each x and y. The vectors below may be empty.
struct Series {
  std::string name = {};
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::vector<double> low = {};          // of an interval around each y
  std::vector<double> high = {};         // likewise
  std::vector<std::string> labels = {};  // what each point is called
  bool quiet = false;  // a line for comparison: drawn in grey, without a name at its end
};

// Bar: the series are side by side, or on top of each other if `stacked`.
enum class PlotKind : std::uint8_t { Line, Scatter, Bar };

// Lines of a plot that are in colour and have their names beside them; more cannot be told apart.
inline constexpr std::size_t kEmphasisedLines = 6;

// A few thousand points are drawn quickly; thin or bin larger data first. A series has the same
// colour in all plots of a page: its name decides. Of more than
// kEmphasisedLines lines that are not quiet, the first are emphasised.
struct Plot {
  std::string title = {};
  std::string caption = {};
  PlotKind kind = PlotKind::Line;
  Axis x = {};
  Axis y = {};
  std::vector<Series> series = {};
  // Names of x = 0, 1, 2, …, where x is not a number. Bars with long names are horizontal.
  std::vector<std::string> categories = {};
  bool stacked = false;
};

// Percent shows 0.25 as 25 %. Link: a link if it is a URL of http or https, else its text.
enum class ColumnKind : std::uint8_t { Text, Number, Percent, Link };

struct Column {
  std::string name = {};
  ColumnKind kind = ColumnKind::Text;
};

// Nothing, a number or a text. Text and Link columns hold texts, the others numbers.
using Cell = std::variant<std::monostate, double, std::uint64_t, std::string>;

// Shown some rows at a time; readers can sort by any column and search.
struct Table {
  std::string title = {};
  std::string caption = {};
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};
};

// Nodes at given places (layout.h finds them), and links between them. Both axes have the same
// scale.
struct Drawing {
  struct Node {
    double x = 0;
    double y = 0;
    std::string label = {};  // written next to it
    double size = 1;         // its area, relative to the others
    std::string note = {};   // more about it, shown on pointing
  };
  struct Link {
    std::size_t from = 0;  // a place in `nodes`
    std::size_t to = 0;
    std::string label = {};
  };
  std::string title = {};
  std::string caption = {};
  std::vector<Node> nodes = {};
  std::vector<Link> links = {};
  bool directed = true;  // links end in arrows
};

// Things that come and go: a row for each, a column for each moment at which they were looked at,
// and runs of columns in which it was there. Several thousand rows and columns are drawn quickly.
struct Strata {
  struct Row {
    std::string name = {};
    std::string note = {};                 // more about it, shown on pointing
    std::vector<std::uint32_t> runs = {};  // first column, number of columns, and so on; ascending
  };
  // One way to colour the rows.
  struct Grouping {
    std::string name = {};
    std::vector<std::string> groups = {};
    std::vector<std::uint32_t> of = {};  // a place in `groups` for each row
  };
  std::string title = {};
  std::string caption = {};
  std::vector<std::int64_t> times = {};  // of the columns, seconds since 1970, ascending
  std::vector<Row> rows = {};
  std::vector<Grouping> groupings = {};
  std::uint64_t left_out = 0;  // rows that there are besides these
};

using Section = std::variant<Text, KeyFigures, Plot, Table, Drawing, Strata>;

struct HtmlReport {
  std::string title = {};
  std::string result = {};        // what was found, in one sentence with numbers
  std::string subtitle = {};      // what the page shows, in one paragraph
  std::string generated_by = {};  // the command
  std::vector<Section> sections = {};
};

// The whole page. The same report gives the same bytes.
// Throws Error(BadInput) if the parts are inconsistent: a series with more x than y, a row with too
// few cells, a link from a node that does not exist.
std::string to_html(const HtmlReport& report);

// Writes the page; it appears whole or not at all. Throws as to_html and write_file do.
void write_html(const HtmlReport& report, const std::filesystem::path& path);

}  // namespace webstrata::report
