// SPDX-License-Identifier: Apache-2.0

// What a command of the program is. commands.cpp lists them; one file each.

#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "webstrata/base/progress.h"
#include "webstrata/cli/frame/colour.h"
#include "webstrata/cli/frame/flags.h"

namespace webstrata {

// How a command ended; the program's exit code.
enum class ExitCode : int { Done = 0, FoundNothing = 1, Failed = 2 };

struct Command {
  std::string_view name;
  std::string_view summary;      // one line
  std::string_view description;  // for --help, with an example that works
  // Declares the flags, and returns what to do once they are parsed.
  std::function<ExitCode()> (*declare)(FlagSet& app);
  std::string_view group = {};  // the heading in `webstrata --help`; commands.cpp fills it in
};

const std::vector<Command>& commands();

// Cancelled by Ctrl-C and SIGTERM.
const CancelToken& interruption();

// "webstrata: message" on standard error, with the name in the colour of its tone.
void complain(std::string_view message, Tone tone = Tone::Plain);
// A line on standard error, without its end. Both escape control characters (base/printable.h):
// names of files and words of servers are part of many messages.
void say(std::string_view text);
// Whole lines of a table there.
void say_lines(std::string_view lines);

}  // namespace webstrata
