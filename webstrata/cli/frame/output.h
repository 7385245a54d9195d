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
  // An empty path or "-" means standard output, where control characters are escaped.
  explicit Output(const std::string& path);

  void write(std::string_view bytes);
  // The result is complete: a file gets its name now.
  void commit();

 private:
  std::optional<FileWriter> file_;
  StandardOutput standard_;
};

// All of it at once, to such a path.
void write_output(const std::string& path, std::string_view text);

}  // namespace webstrata
