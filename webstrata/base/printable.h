// SPDX-License-Identifier: Apache-2.0

// Text from outside, made safe to show. A terminal obeys control characters, and a page, a file
// name or a server's answer may contain any of them.
//
//   printable("not a time: '\x1b]0;x\a'")   "not a time: '\u001b]0;x\u0007'"
//
// Escapes are those of JSON strings, so that a line of JSON keeps its meaning. Backslashes stay as
// they are: escaping twice changes nothing.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

struct PrintableOptions {
  bool keep_columns = false;     // tabs and line ends (\n, \r\n) stay: for whole lines of a table
  bool keep_ill_formed = false;  // bytes that are not UTF-8 stay: for data that is piped on
};

// Control characters (C0, DEL, C1), line and paragraph separators, and characters that change the
// direction of text become \n, \u001b and so on; bytes that are not UTF-8 become \xff.
std::string printable(std::string_view text, const PrintableOptions& options = {});

// The same, appended.
void append_printable(std::string& out, std::string_view text,
                      const PrintableOptions& options = {});

}  // namespace webstrata
