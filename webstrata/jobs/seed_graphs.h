// SPDX-License-Identifier: Apache-2.0

// The graphs that a choice of seeds looks at: that in which seeds are chosen, and newer ones in
// which they are tested, replaced or evaluated.
//
//   SeedGraphs graphs(words, false, work);
//   const Snapshot graph = graphs.old();
//   options.test = survival_by_name(graph, graphs.newer("lib.ws@2023.."));

#pragma once

#include <string>

#include "webstrata/graph/snapshot.h"
#include "webstrata/words/graph_word.h"

namespace webstrata {

// Two words may name one graph, which is then read once. Words and work must outlive it.
class SeedGraphs {
 public:
  // `wants_content`: seeds that vanished are to be replaced by pages like them.
  SeedGraphs(const GraphWords& words, bool wants_content, const WorkOptions& work)
      : words_(words), wants_content_(wants_content), work_(work) {}

  Snapshot old();
  // Seen as the old one is: the same level, folding and kinds. It lives until another is asked for.
  // Throws Error(BadInput) if it has no pages.
  const Snapshot& newer(const std::string& word);

 private:
  Snapshot load_with_columns(GraphSource source);

  const GraphWords& words_;
  bool wants_content_;
  const WorkOptions& work_;
  std::string word_;
  Snapshot newer_;
};

}  // namespace webstrata
