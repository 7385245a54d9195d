// GRAPH, the word by which commands are given a graph, and the options that say the same.
//
//   lib.ws                  everything an archive ever saw
//   lib.ws@2015-06          as it was at the last second of June 2015
//   lib.ws@2015..2016       what captures made in these years had
//   cnr-2000, links.tsv     a graph file: BVGraph, TSV, ASCII graph, Common Crawl's
//
//   GraphFlags flags;
//   declare_graph(app, flags);                            // GRAPH --at --level ...
//   const Snapshot graph = load(graph_of(flags), work);   // once they are parsed

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "webstrata/archive/archive.h"
#include "webstrata/cli/flags.h"
#include "webstrata/cli/terminal.h"
#include "webstrata/graph/archive_snapshot.h"

namespace webstrata {

// As they were typed.
struct GraphFlags {
  std::string word;
  std::string at;
  std::string during;
  std::string level = "page";
  std::string fold;
  std::string kinds = "graph";
  std::string urls;
  bool carry = false;
  bool without_inner_links = false;
  unsigned threads = 0;

  friend bool operator==(const GraphFlags&, const GraphFlags&) = default;
};

// The word itself and its options. `threads` is left to the command.
void declare_graph(FlagSet& app, GraphFlags& flags);

// A graph that is understood, but not yet read.
struct GraphSource {
  std::optional<Archive> archive;  // else `file` is a graph file
  std::filesystem::path file;
  std::filesystem::path urls;
  SnapshotRequest request;  // of a file only its view counts
  std::string date;         // of an archive, as it was typed; empty: ever
};

// What a word alone says, without options: for commands that take several graphs. Throws
// Error(NotFound) if there is no such archive or file, Error(BadInput) if the time makes no sense.
GraphSource graph_of(std::string_view word);
// Throws Error(BadInput) also for options that contradict each other or the word, or that mean
// nothing for a graph file.
GraphSource graph_of(const GraphFlags& flags);

// Reads it. Columns are those that source.request wants; a graph file has none.
Snapshot load(const GraphSource& source, const WorkOptions& work);

// Work that draws its progress on `line` and is stopped by Ctrl-C.
WorkOptions work_on(ProgressLine& line, unsigned threads);

}  // namespace webstrata
