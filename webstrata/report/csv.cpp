// SPDX-License-Identifier: Apache-2.0

// Tested by tests/report/csv_test.cpp.

#include "webstrata/report/csv.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata::report {
namespace {

std::string text_cell(std::string_view text) {
  const bool runs = !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != text.npos;
  const std::string safe = (runs ? "'" : "") + std::string(text);
  if (safe.find_first_of("\",\r\n") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string number_cell(double number) {
  return std::isfinite(number) ? fmt::format("{}", number) : std::string();
}

std::string cell_text(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return number_cell(*number);
  if (const auto* count = std::get_if<std::uint64_t>(&cell)) return std::to_string(*count);
  if (const auto* text = std::get_if<std::string>(&cell)) return text_cell(*text);
  return "";
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + cells[i];
  return line + "\r\n";
}

std::string file_name(std::string_view title) {
  std::string name;
  for (const char c : title) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_plain) {
      name += c;
    } else if (c >= 'A' && c <= 'Z') {
      name += static_cast<char>(c - 'A' + 'a');
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (name.ends_with('-')) name.pop_back();
  return (name.empty() ? std::string("untitled") : name) + ".csv";
}

}  // namespace

std::string to_csv(const Plot& plot) {
  const auto any = [&](auto has) { return std::ranges::any_of(plot.series, has); };
  const bool has_band = any([](const Series& series) { return !series.low.empty(); });
  const bool has_labels = any([](const Series& series) { return !series.labels.empty(); });
  std::vector<std::string> head = {"series", "x", "y"};
  if (has_band) head.insert(head.end(), {"low", "high"});
  if (has_labels) head.emplace_back("label");
  std::string text = line_of(head);
  for (const Series& series : plot.series) {
    const auto at = [](const std::vector<double>& values, std::size_t i) {
      return i < values.size() ? number_cell(values[i]) : std::string();
    };
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const auto category = static_cast<std::size_t>(std::max(0.0, series.x[i]));
      const bool is_named = category < plot.categories.size();
      std::vector<std::string> cells = {
          text_cell(series.name), is_named ? text_cell(plot.categories[category]) : at(series.x, i),
          at(series.y, i)};
      if (has_band) cells.insert(cells.end(), {at(series.low, i), at(series.high, i)});
      if (has_labels) {
        cells.push_back(i < series.labels.size() ? text_cell(series.labels[i]) : std::string());
      }
      text += line_of(cells);
    }
  }
  return text;
}

std::string to_csv(const Table& table) {
  std::vector<std::string> cells;
  for (const Column& column : table.columns) cells.push_back(text_cell(column.name));
  std::string text = line_of(cells);
  for (const auto& row : table.rows) {
    cells.clear();
    for (const Cell& cell : row) cells.push_back(cell_text(cell));
    text += line_of(cells);
  }
  return text;
}

std::vector<std::filesystem::path> write_csv(const HtmlReport& report,
                                             const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(ErrorKind::Io, fmt::format("{}: {}", folder.string(), error.message()));
  std::vector<std::filesystem::path> files;
  const auto write = [&](const std::string& title, const std::string& text) {
    files.push_back(folder / file_name(title));
    write_file(files.back(), text);
  };
  for (const Section& section : report.sections) {
    if (const auto* plot = std::get_if<Plot>(&section)) write(plot->title, to_csv(*plot));
    if (const auto* table = std::get_if<Table>(&section)) write(table->title, to_csv(*table));
  }
  return files;
}

}  // namespace webstrata::report
