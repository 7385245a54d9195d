// SPDX-License-Identifier: Apache-2.0

// The flags of `webstrata forget`, and what their words mean.

#pragma once

#include <string>
#include <vector>

#include "webstrata/archive/forget.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/flags.h"
#include "webstrata/cli/frame/terminal.h"

namespace webstrata {

struct ForgetFlags {
  std::string archive;
  std::vector<std::string> urls;
  std::vector<std::string> prefixes;
  std::vector<std::string> hosts;
  std::string from;
  std::string to;
  bool exactly = false;
  bool embedded = false;
  bool force = false;
  bool undo = false;
  bool list = false;
  bool dry_run = false;
  bool yes = false;
  std::string memory;
  std::string temp;
  unsigned threads = 0;
  TableFlags table;
  bool json = false;
  bool quiet = false;
};

void declare_forget(FlagSet& app, ForgetFlags& flags);

// What to forget. Throws Error(BadInput) for words that mean nothing, and if there are none, unless
// tombstones are to be listed.
std::vector<Forget> requests_of(const ForgetFlags& flags);

// Names other URLs that contain a forgotten one on standard error. `line` outlives what it returns.
ForgetOptions options_of(const ForgetFlags& flags, ProgressLine& line);

}  // namespace webstrata
