// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/liverank_test.py.

#include "webstrata/jobs/live_field.h"

#include <string_view>
#include <utility>

#include "webstrata/graph/line_reader.h"
#include "webstrata/jobs/later_looks.h"
#include "webstrata/jobs/truth_file.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

bool is_url(std::string_view text) {
  Url url;
  return parse_url(text, url) && url.is_web();
}

// Links from URL to URL, as opposed to URLs with outcomes: the first lines decide.
bool is_list_of_links(const std::string& file) {
  constexpr int kLines = 10;
  LineReader lines{std::filesystem::path(file)};
  int links = 0;
  for (int i = 0; i < kLines; ++i) {
    const auto line = lines.next();
    if (!line) break;
    if (line->empty() || line->starts_with('#')) continue;
    const std::size_t tab = line->find('\t');
    if (tab == std::string_view::npos) return false;
    if (!is_url(line->substr(0, tab)) || !is_url(line->substr(tab + 1))) return false;
    ++links;
  }
  return links > 0;
}

// An archive, with a time or without, a BVGraph, or a file of links; any other file is a list of
// URLs.
bool names_a_graph(const std::string& word) {
  const std::filesystem::path path = word.substr(0, word.rfind('@'));
  return std::filesystem::is_directory(word) || std::filesystem::is_directory(path) ||
         std::filesystem::exists(word + ".properties") ||
         (std::filesystem::is_regular_file(word) && is_list_of_links(word));
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
                 const TruthOptions& options, const WorkOptions& work,
                 const std::filesystem::path& urls) {
  if (!names_a_graph(word)) return read_truth(word, field.pages, options);
  GraphSource source = graph_of(word);
  source.urls = urls;
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
