// SPDX-License-Identifier: Apache-2.0

// Tested by tests/report/html_report_test.cpp.

#include "webstrata/report/check_report.h"

#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata::report {
namespace {

[[noreturn]] void refuse(const std::string& title, const std::string& reason) {
  throw Error(ErrorKind::BadInput, fmt::format("report, \"{}\": {}", title, reason));
}

// An optional vector is empty or has one entry for each point.
void check_length(const std::string& title, const Series& series, std::size_t length,
                  std::string_view what) {
  if (length == 0 || length == series.x.size()) return;
  refuse(title, fmt::format("series \"{}\" has {} x and {} {}; give one for each x", series.name,
                            series.x.size(), length, what));
}

void check_categories(const Plot& plot, const Series& series) {
  for (const double x : series.x) {
    if (x >= 0 && x < static_cast<double>(plot.categories.size()) && x == std::floor(x)) continue;
    refuse(plot.title, fmt::format("series \"{}\" has x = {}, which is none of {} categories",
                                   series.name, x, plot.categories.size()));
  }
}

void check(const Plot& plot) {
  for (const Series& series : plot.series) {
    if (series.x.size() != series.y.size()) {
      refuse(plot.title, fmt::format("series \"{}\" has {} x and {} y; give one for each x",
                                     series.name, series.x.size(), series.y.size()));
    }
    check_length(plot.title, series, series.low.size(), "low");
    check_length(plot.title, series, series.high.size(), "high");
    check_length(plot.title, series, series.labels.size(), "labels");
    if (series.low.empty() != series.high.empty()) {
      refuse(plot.title,
             fmt::format("series \"{}\" has low or high alone; give both", series.name));
    }
    if (!plot.categories.empty()) check_categories(plot, series);
  }
}

bool fits(const Cell& cell, ColumnKind kind) {
  if (std::holds_alternative<std::monostate>(cell)) return true;
  const bool is_text_column = kind == ColumnKind::Text || kind == ColumnKind::Link;
  return std::holds_alternative<std::string>(cell) == is_text_column;
}

void check(const Table& table) {
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.rows[row].size() != table.columns.size()) {
      refuse(table.title, fmt::format("row {} has {} cells for {} columns", row,
                                      table.rows[row].size(), table.columns.size()));
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (fits(table.rows[row][i], table.columns[i].kind)) continue;
      refuse(table.title, fmt::format("row {}, column \"{}\": a text in a column of numbers, or a "
                                      "number in a column of texts",
                                      row, table.columns[i].name));
    }
  }
}

void check(const Drawing& drawing) {
  for (const Drawing::Node& node : drawing.nodes) {
    if (std::isfinite(node.x) && std::isfinite(node.y) && node.size >= 0) continue;
    refuse(drawing.title, fmt::format("node \"{}\" has no place or no size", node.label));
  }
  for (const Drawing::Link& link : drawing.links) {
    if (link.from < drawing.nodes.size() && link.to < drawing.nodes.size()) continue;
    refuse(drawing.title, fmt::format("a link from {} to {}, but there are {} nodes", link.from,
                                      link.to, drawing.nodes.size()));
  }
}

void check_runs(const Strata& strata, const Strata::Row& row) {
  std::uint64_t end = 0;
  bool is_good = row.runs.size() % 2 == 0;
  for (std::size_t i = 0; i + 1 < row.runs.size() && is_good; i += 2) {
    is_good = row.runs[i] >= end && row.runs[i + 1] > 0;
    end = std::uint64_t{row.runs[i]} + row.runs[i + 1];
  }
  if (is_good && end <= strata.times.size()) return;
  refuse(strata.title, fmt::format("row \"{}\" has runs that overlap or leave the {} columns",
                                   row.name, strata.times.size()));
}

void check(const Strata& strata) {
  for (const Strata::Row& row : strata.rows) check_runs(strata, row);
  for (const Strata::Grouping& grouping : strata.groupings) {
    bool is_good = grouping.of.size() == strata.rows.size();
    for (const std::uint32_t group : grouping.of) {
      is_good = is_good && group < grouping.groups.size();
    }
    if (!is_good) {
      refuse(strata.title,
             fmt::format("grouping \"{}\" does not have a group for each row", grouping.name));
    }
  }
}

void check(const Text&) {}
void check(const KeyFigures&) {}

}  // namespace

void check_report(const HtmlReport& report) {
  for (const Section& section : report.sections) {
    std::visit([](const auto& part) { check(part); }, section);
  }
}

}  // namespace webstrata::report
