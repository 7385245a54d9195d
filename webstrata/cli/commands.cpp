// The verbs of the program, in the order in which --help shows them.

#include "webstrata/cli/command.h"

namespace webstrata {

Command extract_command();  // extract.cpp

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      extract_command(),
  };
  return all;
}

}  // namespace webstrata
