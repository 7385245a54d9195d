// SPDX-License-Identifier: Apache-2.0

// An old graph with the pages whose fate is asked for, and what became of them.
//
//   const LiveField field = load_live_field(graph_of("lib.ws@2021"), words.method, work);
//   const Truth truth = load_truth("lib.ws@2023..", graph, field, truth_options_of(words), work);

#pragma once

#include <filesystem>
#include <string>

#include "webstrata/graph/snapshot.h"
#include "webstrata/jobs/live_words.h"
#include "webstrata/liverank/population.h"
#include "webstrata/liverank/truth.h"
#include "webstrata/words/graph_word.h"

namespace webstrata {

struct LiveField {
  Snapshot graph;
  Population pages;
};

// Reads a graph with the columns that planners and truths look at.
Snapshot load_for_liverank(GraphSource source, const WorkOptions& work);

LiveField load_live_field(const GraphSource& source, const MethodWords& words,
                          const WorkOptions& work);

// `word` names a newer graph, which is seen as `like` is: at the same level, with the same folding
// and kinds; any other file is a list of URLs (truth_file.h). `urls` names the nodes of a newer
// graph that is a BVGraph.
Truth load_truth(const std::string& word, const GraphWords& like, const LiveField& field,
                 const TruthOptions& options, const WorkOptions& work,
                 const std::filesystem::path& urls = {});

}  // namespace webstrata
