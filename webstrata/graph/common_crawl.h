// SPDX-License-Identifier: Apache-2.0

// The files of Common Crawl's text graphs: which belong together, and their content piece by piece.
// graph_text.h reads and writes whole graphs.

#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "webstrata/graph/names.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

struct CommonCrawlFiles {
  std::vector<std::filesystem::path> vertices;
  std::vector<std::filesystem::path> edges;
};

// The files that `path` means (graph_file.h), in the order of their names; none if it means no such
// graph. Throws Error(BadInput) for a folder without vertices or edges.
CommonCrawlFiles common_crawl_files(const std::filesystem::path& path);

// The files of vertices alone: one file, or all in a folder.
std::vector<std::filesystem::path> vertex_files(const std::filesystem::path& path);

struct Vertices {
  std::shared_ptr<NameList> names = std::make_shared<NameList>();  // reversed: "org.example"
  NodeColumns columns;                                             // n_hosts, if the files have it
};
Vertices read_vertices(const std::vector<std::filesystem::path>& files, const WorkOptions& work);

// The lists of links in parts, in bounded memory. The edges must be sorted by both numbers.
class EdgeParts {
 public:
  EdgeParts(std::vector<std::filesystem::path> files, Node node_count, WorkOptions work);
  ~EdgeParts();
  EdgeParts(const EdgeParts&) = delete;
  EdgeParts& operator=(const EdgeParts&) = delete;

  // The lists of the next nodes; empty after the last node. Equal links are one. Throws
  // Error(BadInput) that names the line if edges are not sorted or lead to no vertex.
  std::optional<SnapshotPart> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
