// SPDX-License-Identifier: Apache-2.0

// How an archive, or the graph in it, is handed over to other tools: one line for each form.
//
// To add one: a file with its function, and two lines in export_forms.cpp.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/frame/terminal.h"

namespace webstrata {

struct ExportFlags {
  GraphFlags graph;
  std::string output;  // empty: standard output
  std::string form;
  std::string key = "pywb";
  std::string name;  // of a column of scores
  bool quiet = false;
};

struct ExportForm {
  std::string_view name;
  std::string_view summary;  // one line for the help text
  // Writes flags.output, which appears only when complete.
  void (*write)(const ExportFlags& flags, ProgressLine& line);
};

const std::vector<ExportForm>& export_forms();

}  // namespace webstrata
