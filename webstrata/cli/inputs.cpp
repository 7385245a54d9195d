// Tested by tests/cli/inputs_test.cpp.

#include "webstrata/cli/inputs.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

void append_list(const std::string& path, std::vector<std::string>& inputs) {
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty() && line.front() != '#') inputs.push_back(line);
  }
}

}  // namespace

std::vector<std::string> expand_inputs(const std::vector<std::string>& arguments) {
  std::vector<std::string> inputs;
  for (const std::string& argument : arguments) {
    if (argument.size() > 1 && argument.front() == '@') {
      append_list(argument.substr(1), inputs);
    } else {
      inputs.push_back(argument);
    }
  }
  if (inputs.empty()) throw Error(ErrorKind::BadInput, "no input: the lists name no file");
  if (std::count(inputs.begin(), inputs.end(), "-") > 1) {
    throw Error(ErrorKind::BadInput, "standard input (-) can be read only once");
  }
  return inputs;
}

}  // namespace webstrata
