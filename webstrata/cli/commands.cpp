// The verbs of the program, in the order in which --help shows them.

#include "webstrata/cli/command.h"

namespace webstrata {

Command build_command();    // build.cpp
Command extract_command();  // extract.cpp
Command update_command();   // update.cpp

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      extract_command(),
      build_command(),
      update_command(),
  };
  return all;
}

}  // namespace webstrata
