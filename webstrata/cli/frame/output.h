// SPDX-License-Identifier: Apache-2.0

// Where a command writes: standard output, or a file that appears whole or not at all.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "webstrata/base/file.h"
#include "webstrata/base/standard_output.h"

namespace webstrata {

class Output {
 public:
  // An empty path or "-" means standard output, where control characters are escaped. Commands that
  // do nothing but print stop when a pipe is closed; the others finish their work.
  explicit Output(const std::string& path, WhenClosed when_closed = WhenClosed::GoOn);

  void write(std::string_view bytes);
  // A line that stands out on a terminal; `line` has its end.
  void write_heading(std::string_view line);
  // The result is complete: a file gets its name now.
  void commit();

 private:
  std::optional<FileWriter> file_;
  StandardOutput standard_;
};

// Whether what goes to such a path is seen on a terminal.
bool is_seen_on_terminal(const std::string& path);

// All of it at once, to such a path.
void write_output(const std::string& path, std::string_view text);

}  // namespace webstrata
