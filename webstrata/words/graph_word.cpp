// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/graph_word_test.cpp and tests/cli/export_graph_test.py.

#include "webstrata/words/graph_word.h"

#include <filesystem>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/graph/graph_file.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

using Path = std::filesystem::path;

bool is_archive(const Path& path) { return std::filesystem::exists(path / "MANIFEST"); }

bool is_there(const Path& path) {
  return path == "-" || std::filesystem::exists(path) ||
         std::filesystem::exists(path.string() + ".properties");
}

GraphTime time_of(std::string_view flag, std::string_view word) {
  if (word.find("..") == std::string_view::npos) {
    return GraphTime::at(parse_date_word(flag, word).last);
  }
  return GraphTime::during(parse_dates_word(flag, word));
}

GraphSource of_path(const Path& path) {
  GraphSource source;
  if (is_archive(path)) {
    source.archive = Archive::open(path);
  } else {
    recognise_graph(path);  // throws if there is nothing
    source.file = path;
  }
  return source;
}

// Options that only an archive can follow.
void refuse_for_files(const GraphWords& words) {
  const bool is_dated = !words.at.empty() || !words.during.empty() || words.carry;
  if (is_dated) refuse(fmt::format("{}: a graph file has no times", words.word));
  if (words.kinds != GraphWords().kinds) {
    refuse(fmt::format("{}: a graph file has no kinds of links (--kinds)", words.word));
  }
}

void read_times(const GraphWords& words, GraphSource& source) {
  SnapshotRequest& request = source.request;
  const bool is_told = request.time.form != GraphTime::Form::Ever;
  if (is_told && (!words.at.empty() || !words.during.empty())) {
    refuse(fmt::format("{} has its time already: leave --at and --during out", words.word));
  }
  if (!words.at.empty()) request.time = GraphTime::at(parse_date_word("--at", words.at).last);
  if (!words.during.empty()) {
    request.time = GraphTime::during(parse_dates_word("--during", words.during));
  }
  if (words.carry && request.time.form != GraphTime::Form::During) {
    refuse("--carry needs a time from .. to (--during 2015..2016)");
  }
  request.time.carry = words.carry;
  if (!is_told) source.date = words.at + words.during;  // at most one is set
}

GraphView view_of(const GraphWords& words) {
  GraphView view;
  const auto level = parse_level(words.level);
  if (!level) refuse(fmt::format("--level {}: not page, host or domain", words.level));
  view.level = *level;
  view.fold = parse_fold_word("--fold", words.fold);
  view.inner_links = !words.without_inner_links;
  return view;
}

}  // namespace

GraphSource graph_of(std::string_view word) {
  const std::size_t at = word.rfind('@');
  if (at == std::string_view::npos || is_there(Path(word))) return of_path(Path(word));
  const Path path = word.substr(0, at);
  GraphSource source = of_path(path);
  if (!source.archive) {
    refuse(fmt::format("{}: {} is a graph file, which has no times", word, path.string()));
  }
  source.request.time = time_of(word.substr(0, at + 1), word.substr(at + 1));
  source.date = word.substr(at + 1);
  return source;
}

GraphSource graph_of(const GraphWords& words) {
  GraphSource source = graph_of(words.word);
  source.request.view = view_of(words);
  if (source.archive) {
    if (!words.urls.empty()) refuse("--urls is for graph files: an archive has its own URLs");
    read_times(words, source);
    source.request.kinds = parse_kinds_word("--kinds", words.kinds);
  } else {
    refuse_for_files(words);
    source.urls = words.urls;
  }
  return source;
}

Snapshot load(const GraphSource& source, const WorkOptions& work) {
  if (source.archive) {
    SnapshotRequest request = source.request;
    request.work = work;
    return snapshot_of(*source.archive, request);
  }
  const Snapshot graph = load_graph(source.file, {.urls = source.urls, .work = work});
  return viewed(graph, source.request.view, work).graph;
}

std::filesystem::path archive_behind(std::string_view word) {
  for (const Path& path : {Path(word), Path(word.substr(0, word.rfind('@')))}) {
    if (!path.empty() && is_archive(path)) return path;
  }
  return {};
}

}  // namespace webstrata
