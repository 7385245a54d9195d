// SPDX-License-Identifier: Apache-2.0

// Graphs as text, for tools that read nothing else. Files are plain or gzip when read, gzip when
// written under a name that ends in ".gz".
//
//   TSV            source <tab> target, a link a line: numbers, urls, or other names
//   ASCII graph    WebGraph's `.graph-txt`: the number of nodes, then a line of targets for each
//   Common Crawl   vertices "id <tab> reversed host", edges "id <tab> id"
//
// All read functions throw Error(NotFound), Error(Corrupt) for damaged gzip, and Error(BadInput)
// that names the invalid line.

#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

// The first line decides what the nodes are called.
// - Numbers are nodes as they are. If they are so sparse that most nodes would be gaps, the numbers
//   that occur become nodes in ascending order, and the number is the name.
// - URLs are normalised; nodes are in the order of exact keys, as in an archive.
// - Other names are nodes in bytewise order.
// Lines that begin with '#' are skipped ("# Nodes: 7", as in SNAP's files, is understood), a line
// with one name is a node that may have no links, and what follows the target is ignored. A text
// whose first lines (64 KB) are not all lines of one table is rejected, with a list of the graph
// formats (tsv_form.h).
Snapshot read_tsv(const std::filesystem::path& path, const WorkOptions& work = {});
Snapshot parse_tsv(std::string_view text);
// Names if the graph has them, else numbers. Nodes without any link do not appear.
void write_tsv(const Snapshot& graph, const std::filesystem::path& path,
               const WorkOptions& work = {});

Snapshot read_ascii_graph(const std::filesystem::path& path, const WorkOptions& work = {});
Snapshot parse_ascii_graph(std::string_view text);
void write_ascii_graph(const Snapshot& graph, const std::filesystem::path& path,
                       const WorkOptions& work = {});

// Each list of files is read as one. The names are those of the files: reversed, "org.example". A
// third column of vertices becomes the score `n_hosts`.
Snapshot read_common_crawl(const std::vector<std::filesystem::path>& vertices,
                           const std::vector<std::filesystem::path>& edges,
                           const WorkOptions& work = {});
// Hosts are written reversed and numbered in the bytewise order of that (other names as they are),
// links in the order of numbers, as WebGraph needs them. The score `n_hosts` becomes a third
// column. Throws Error(BadInput) if the graph has no names.
void write_common_crawl(const Snapshot& graph, const std::filesystem::path& vertices,
                        const std::filesystem::path& edges, const WorkOptions& work = {});

}  // namespace webstrata
