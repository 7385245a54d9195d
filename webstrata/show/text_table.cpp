// SPDX-License-Identifier: Apache-2.0

// Tested by tests/show/text_table_test.cpp and tests/cli/tables_test.py.

#include "webstrata/show/text_table.h"

namespace webstrata {
namespace {

void append_csv_cell(std::string& out, std::string_view cell) {
  if (cell.find_first_of("\",\r\n") == std::string_view::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

// A tab or a line end in a cell would begin another one.
void append_tabbed_cell(std::string& out, std::string_view cell) {
  for (const char c : cell) out += c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
}

}  // namespace

void TableWriter::append_line(std::string& out, const Cells& cells,
                              std::string_view unknown) const {
  const bool is_csv = style_.form == TableForm::Csv;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += is_csv ? ',' : '\t';
    const std::string_view cell = cells[i].empty() ? unknown : std::string_view(cells[i]);
    is_csv ? append_csv_cell(out, cell) : append_tabbed_cell(out, cell);
  }
  if (is_csv && cells.size() < columns_.size()) out.append(columns_.size() - cells.size(), ',');
  out += '\n';
}

void TableWriter::append_header(std::string& out) const {
  if (style_.has_header) append_line(out, columns_, "");
}

void TableWriter::append_row(std::string& out, const Cells& cells) const {
  append_line(out, cells, style_.form == TableForm::Csv ? "" : "-");
}

std::string csv_of_tabs(std::string_view lines) {
  std::string out;
  while (!lines.empty()) {
    const std::size_t end = lines.find_first_of("\t\n");
    append_csv_cell(out, lines.substr(0, end));
    if (end == std::string_view::npos) break;
    out += lines[end] == '\t' ? ',' : '\n';
    lines.remove_prefix(end + 1);
  }
  return out;
}

std::string written(const TextTable& table, const TableStyle& style) {
  const TableWriter writer(table.columns, style);
  std::string out;
  writer.append_header(out);
  for (const Cells& row : table.rows) writer.append_row(out, row);
  return out;
}

}  // namespace webstrata
