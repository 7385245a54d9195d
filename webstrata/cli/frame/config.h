// SPDX-License-Identifier: Apache-2.0

// The flags that every command has, and the defaults of the configuration file
// (words/config_file.h). What the command line says wins.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/cli/frame/flags.h"

namespace webstrata {

// --color, --config and --no-config.
void declare_common(FlagSet& flags);

// Chooses the file by --config and --no-config among `words`, those after the command. Call it
// before anything reads the file.
void choose_config(const std::vector<std::string>& words);

// Sets the defaults of the command called `name`. `is_known` says whether another command has an
// option of a name without dashes. Throws Error(BadInput) with file and line for a name that no
// command has, a command that does not exist, or a bad value.
void apply_config(FlagSet& flags, const std::string& name, const std::vector<std::string>& words,
                  const std::function<bool(const std::string&)>& is_known);

}  // namespace webstrata
