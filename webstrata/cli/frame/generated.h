// SPDX-License-Identifier: Apache-2.0

// Manual pages and shell completions, generated from the flag lists of the commands. The build runs
// `webstrata --generate FOLDER`, and `cmake --install` copies the files to share/.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "webstrata/cli/frame/flags.h"

namespace webstrata {

struct GeneratedFile {
  std::string path;  // below share/
  std::string text;
};

// webstrata.1, and webstrata-COMMAND.1 for each command and each command below one.
std::vector<GeneratedFile> manual_pages(const std::vector<CommandFacts>& commands,
                                        std::string_view version);

std::string bash_completion(const std::vector<CommandFacts>& commands);
std::string zsh_completion(const std::vector<CommandFacts>& commands);
std::string fish_completion(const std::vector<CommandFacts>& commands);

// All of these, where shells and `man` look for them.
std::vector<GeneratedFile> generated_files(const std::vector<CommandFacts>& commands,
                                           std::string_view version);

}  // namespace webstrata
