// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/tables_test.py.

#include "webstrata/cli/flags/table_flags.h"

#include "webstrata/base/error.h"

namespace webstrata {

namespace {

// Why: docs/decisions/019-parquet.md.
constexpr std::string_view kNoParquet =
    "Parquet is written from Python: every table has to_parquet(\"FILE\") (see docs/python.md); "
    "here "
    "use --as csv";

}  // namespace

void refuse_parquet(const std::string& form) {
  if (form == "parquet") refuse("--as parquet: " + std::string(kNoParquet));
}

Flag* refuse_parquet(Flag* as) {
  return as->check_first([](const std::string& word) {
    return word == "parquet" ? std::string(kNoParquet) : std::string();
  });
}

Flag* declare_table(FlagSet& app, TableFlags& flags) {
  app.group("Output");
  Flag* as = app.add_option("--as", flags.form,
                            "Form of the table: text (with tabs or columns) or csv (default text)");
  refuse_parquet(as->one_of({"text", "csv"})->type_name("FORM"));
  declare_header(app, flags);
  return as;
}

void declare_header(FlagSet& app, TableFlags& flags) {
  app.group("Output");
  Flag* header = app.add_flag("--header", flags.header,
                              "Print the names of columns (default: on a terminal, and in csv)");
  app.add_flag("--no-header", flags.no_header, "Do not print the names of columns")
      ->excludes(header);
}

TableStyle style_of(const TableFlags& flags, const std::string& path) {
  const bool has_header =
      !flags.no_header && (flags.header || flags.is_csv() || is_seen_on_terminal(path));
  return {flags.is_csv() ? TableForm::Csv : TableForm::Tabs, has_header};
}

void TableLines::begin() {
  if (has_begun_) return;
  has_begun_ = true;
  std::string header;
  writer_.append_header(header);
  if (!header.empty()) lines_.add_heading(header);
}

void TableLines::add(const Cells& cells) {
  begin();
  writer_.append_row(lines_.buffer(), cells);
  lines_.written();
}

void TableLines::finish() { begin(); }

void print_table(const TextTable& table, const TableFlags& flags) {
  Lines lines;
  TableLines rows(lines, table.columns, flags);
  for (const Cells& row : table.rows) rows.add(row);
  rows.finish();
  lines.commit();
}

}  // namespace webstrata
