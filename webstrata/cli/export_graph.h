// The forms in which a graph, of an archive or out of a file, is handed over.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "webstrata/cli/graph_word.h"

namespace webstrata {

struct GraphForm {
  std::string_view name;
  std::string_view summary;  // one line for the help text
  // `output` is empty where the user gave no name. Throws Error(BadInput) if it needs one.
  void (*write)(GraphSource source, const std::string& output, const WorkOptions& work);
};

const std::vector<GraphForm>& graph_forms();

}  // namespace webstrata
