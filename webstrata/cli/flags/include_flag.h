// SPDX-License-Identifier: Apache-2.0

// --include: which files of a folder are inputs (words/input_folder.h).

#pragma once

#include <string>
#include <vector>

#include "webstrata/cli/frame/flags.h"

namespace webstrata {

inline void declare_include(FlagSet& app, std::vector<std::string>& patterns) {
  app.add_option("--include", patterns,
                 "Files to read in folders, such as '*.warc.gz'; repeatable (default: every file "
                 "with the name of a crawl file)")
      ->type_name("PATTERN")
      ->repeatable();
}

}  // namespace webstrata
