// A report: tables, plots and drawings on one HTML page that needs nothing but itself.
//
//   report::HtmlReport page{.title = "Links of lib.ws", .generated_by = "webstrata stats"};
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

// A heading, and paragraphs with an empty line between; either may be empty.
struct Text {
  std::string title = {};
  std::string text = {};
};

// The few numbers to see first, as they are to be read: {"links", "1,234,567", "of 12 captures"}.
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
  bool downward = false;  // the smallest on top, as first places are; not for bars
};

// One point for each x and y. The vectors below may be empty.
struct Series {
  std::string name = {};
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::vector<double> low = {};          // of an interval around each y
  std::vector<double> high = {};         // likewise
  std::vector<std::string> labels = {};  // what each point is called
};

// Bar: the series stand side by side, or on each other where `stacked`.
enum class PlotKind : std::uint8_t { Line, Scatter, Bar };

// Some thousand points draw quickly; thin or bin more before.
struct Plot {
  std::string title = {};
  std::string caption = {};
  PlotKind kind = PlotKind::Line;
  Axis x = {};
  Axis y = {};
  std::vector<Series> series = {};
  // Names of x = 0, 1, 2, …, where x is no number. Bars of long names lie on their side.
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

// Shown some rows at a time; readers sort by any column and look for words.
struct Table {
  std::string title = {};
  std::string caption = {};
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};
};

// Nodes where they lie (layout.h finds places), and links between them. One unit is as long up as
// across.
struct Drawing {
  struct Node {
    double x = 0;
    double y = 0;
    std::string label = {};  // written beside it
    double size = 1;         // its area, compared with the others'
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

using Section = std::variant<Text, KeyFigures, Plot, Table, Drawing>;

struct HtmlReport {
  std::string title = {};
  std::string subtitle = {};      // what is seen, in one paragraph
  std::string generated_by = {};  // the command
  std::vector<Section> sections = {};
};

// The whole page. The same report gives the same bytes.
// Throws Error(BadInput) where the parts do not fit: a series with more x than y, a row with too
// few cells, a link from a node that is not there.
std::string to_html(const HtmlReport& report);

// Writes the page; it appears whole or not at all. Throws as to_html and write_file do.
void write_html(const HtmlReport& report, const std::filesystem::path& path);

}  // namespace webstrata::report
