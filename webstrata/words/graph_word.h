// SPDX-License-Identifier: Apache-2.0

// GRAPH, the word by which users name a graph, and the options with the same meaning.
//
//   lib.ws                  everything an archive ever saw
//   lib.ws@2015-06          as it was at the last second of June 2015
//   lib.ws@2015..2016       what captures made in these years had
//   cnr-2000, links.tsv     a graph file: BVGraph, TSV, ASCII graph, Common Crawl's
//
//   const Snapshot graph = load(graph_of("lib.ws@2015-06"), work);

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/graph/archive_snapshot.h"

namespace webstrata {

// As they were typed.
struct GraphWords {
  std::string word;
  std::string at;
  std::string during;
  std::string level = "page";
  std::string fold;
  std::string kinds = "graph";
  std::string urls;
  bool carry = false;
  bool without_inner_links = false;

  friend bool operator==(const GraphWords&, const GraphWords&) = default;
};

// A graph that is parsed from words, but not yet read.
struct GraphSource {
  std::optional<Archive> archive;  // else `file` is a graph file
  std::filesystem::path file;
  std::filesystem::path urls;
  SnapshotRequest request;  // for a file only its view is used
  std::string date;         // of an archive, as it was typed; empty: ever
};

// The meaning of a word alone, without options: for commands that take several graphs. Throws
// Error(NotFound) if there is no such archive or file, Error(BadInput) if the time is invalid.
GraphSource graph_of(std::string_view word);
// Throws Error(BadInput) also for options that contradict each other or the word, or that mean
// nothing for a graph file.
GraphSource graph_of(const GraphWords& words);

// Reads it. Columns are those that source.request wants; a graph file has none.
Snapshot load(const GraphSource& source, const WorkOptions& work);

// The archive that a word such as "lib.ws@2021" names; empty if that is a graph file.
std::filesystem::path archive_behind(std::string_view word);

}  // namespace webstrata
