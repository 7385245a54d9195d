// SPDX-License-Identifier: Apache-2.0

// A graph from a file of any supported format.

#pragma once

#include <filesystem>
#include <string_view>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

enum class GraphFormat : std::uint8_t { BvGraph, Tsv, Ascii, CommonCrawl };
std::string_view to_string(GraphFormat format) noexcept;

// - BVGraph: a base name that `.properties` is appended to, or one of its files.
// - Common Crawl: a folder with files of vertices and edges, one of a pair of files whose names
//   differ in those words, or what their names begin with, before "-vertices.txt.gz".
// - ASCII graph: the first line is a single number, or the name says `.graph-txt`.
// - TSV: text whose first lines are all lines of one table of links (graph_text.h). A pipe can be
//   read only once and is judged while it is read.
// Throws Error(NotFound), and Error(BadInput) with a list of these formats for anything else.
GraphFormat recognise_graph(const std::filesystem::path& path);
// The name that the files of a BVGraph share, of that name or of one of the files.
std::filesystem::path bvgraph_base(const std::filesystem::path& path);

struct LoadGraphOptions {
  std::filesystem::path urls = {};  // a name for each node, one per line, plain or gzip
  WorkOptions work = {};
};
Snapshot load_graph(const std::filesystem::path& path, const LoadGraphOptions& options = {});

}  // namespace webstrata
