// SPDX-License-Identifier: Apache-2.0

// GRAPH and the options that go with it (words/graph_word.h).
//
//   GraphFlags flags;
//   declare_graph(app, flags);                            // GRAPH --at --level ...
//   const Snapshot graph = load(graph_of(flags), work);   // once they are parsed

#pragma once

#include "webstrata/cli/frame/flags.h"
#include "webstrata/cli/frame/terminal.h"
#include "webstrata/words/graph_word.h"

namespace webstrata {

struct GraphFlags : GraphWords {
  unsigned threads = 0;
};

// The word itself and its options. `threads` is left to the command.
void declare_graph(FlagSet& app, GraphFlags& flags);

// --fold
void declare_fold(FlagSet& app, std::string& fold);

// Work that draws its progress on `line` and is stopped by Ctrl-C.
WorkOptions work_on(ProgressLine& line, unsigned threads);

}  // namespace webstrata
