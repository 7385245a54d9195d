// SPDX-License-Identifier: Apache-2.0

// Tables as lines: with tabs between the cells, or as CSV (RFC 4180). All commands that print
// tables write them with this.
//
//   const TableWriter writer({"score", "url"}, {.form = TableForm::Csv, .has_header = true});
//   writer.append_header(out);
//   writer.append_row(out, {"0.5", "http://example.org/"});

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

enum class TableForm : std::uint8_t { Tabs, Csv };

struct TableStyle {
  TableForm form = TableForm::Tabs;
  bool has_header = false;
};

using Cells = std::vector<std::string>;

// A whole table. A cell that is not known is empty.
struct TextTable {
  Cells columns;
  std::vector<Cells> rows;
};

class TableWriter {
 public:
  TableWriter(Cells columns, TableStyle style) : columns_(std::move(columns)), style_(style) {}

  [[nodiscard]] const TableStyle& style() const noexcept { return style_; }
  // The names of the columns. Nothing if no header is wanted.
  void append_header(std::string& out) const;
  // An empty cell is "-" between tabs. Missing cells at the end are left out there, and empty in
  // CSV.
  void append_row(std::string& out, const Cells& cells) const;

 private:
  void append_line(std::string& out, const Cells& cells, std::string_view unknown) const;

  Cells columns_;
  TableStyle style_;
};

std::string written(const TextTable& table, const TableStyle& style);

// Whole lines with tabs, as CSV.
std::string csv_of_tabs(std::string_view lines);

}  // namespace webstrata
