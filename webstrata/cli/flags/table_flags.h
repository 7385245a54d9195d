// SPDX-License-Identifier: Apache-2.0

// --as, --header and --no-header: the form of the tables that a command prints. On a terminal a
// table has a header; CSV always has one.

#pragma once

#include <string>
#include <vector>

#include "webstrata/cli/frame/flags.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/show/text_table.h"

namespace webstrata {

struct TableFlags {
  std::string form = "text";  // "text", "csv", or a word of the command's own
  bool header = false;
  bool no_header = false;

  [[nodiscard]] bool is_csv() const noexcept { return form == "csv"; }
};

// --header and --no-header; with --as text|csv. The Flag is --as, for rules of the command.
Flag* declare_table(FlagSet& app, TableFlags& flags);
// The same for a command that has a --as of its own.
void declare_header(FlagSet& app, TableFlags& flags);

// Throws Error(BadInput) for parquet, with the way to write it. For commands with a --as of their
// own; declare_table() does it already.
void refuse_parquet(const std::string& form);
// The same as a rule of such a --as.
Flag* refuse_parquet(Flag* as);

// `path` is where the table goes; empty or "-": standard output.
TableStyle style_of(const TableFlags& flags, const std::string& path = "");

// A table that is printed row by row.
class TableLines {
 public:
  TableLines(Lines& lines, Cells columns, const TableFlags& flags)
      : lines_(lines), writer_(std::move(columns), style_of(flags)) {}

  void add(const Cells& cells);
  // A table without rows has its header too.
  void finish();

 private:
  void begin();

  Lines& lines_;
  TableWriter writer_;
  bool has_begun_ = false;
};

// A whole table to standard output.
void print_table(const TextTable& table, const TableFlags& flags);

}  // namespace webstrata
