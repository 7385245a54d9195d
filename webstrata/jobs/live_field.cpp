// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/liverank_test.py.

#include "webstrata/jobs/live_field.h"

#include <filesystem>
#include <utility>

#include "webstrata/jobs/later_looks.h"
#include "webstrata/jobs/truth_file.h"

namespace webstrata {
namespace {

// An archive, with a time or without, or a BVGraph; any other file is a list of urls.
bool names_a_graph(const std::string& word) {
  const std::filesystem::path path = word.substr(0, word.rfind('@'));
  return std::filesystem::is_directory(word) || std::filesystem::is_directory(path) ||
         std::filesystem::exists(word + ".properties");
}

}  // namespace

Snapshot load_for_liverank(GraphSource source, const WorkOptions& work) {
  source.request.node_columns = {
      .outcome = true, .captures = true, .changes = true, .content = true};
  return load(source, work);
}

LiveField load_live_field(const GraphSource& source, const MethodWords& words,
                          const WorkOptions& work) {
  LiveField field;
  field.graph = load_for_liverank(source, work);
  field.pages = population_of(field.graph, population_options_of(words, work));
  return field;
}

Truth load_truth(const std::string& word, const GraphWords& like, const LiveField& field,
                 const TruthOptions& options, const WorkOptions& work) {
  if (!names_a_graph(word)) return read_truth(word, field.pages, options);
  GraphSource source = graph_of(word);
  const GraphSource old = graph_of(like);
  source.request.view = old.request.view;
  source.request.kinds = old.request.kinds;
  const GraphView& view = source.request.view;
  LookAgain look_again;
  if (source.archive && view.level == Level::Page && !view.fold) {
    look_again = look_again_in(*source.archive, source.request.time);
  }
  const Snapshot newer = load_for_liverank(std::move(source), work);
  return truth_of(field.pages, field.graph, newer, options, look_again);
}

}  // namespace webstrata
