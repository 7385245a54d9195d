// SPDX-License-Identifier: Apache-2.0

// Tested by tests/graph/graph_file_test.cpp and tests/graph/named_graph_test.cpp.

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/graph/common_crawl.h"
#include "webstrata/graph/tsv_form.h"

namespace webstrata {
namespace {

using Path = std::filesystem::path;

constexpr std::string_view kVertices = "vertices";
constexpr std::string_view kEdges = "edges";

bool has_word(const Path& path, std::string_view word) {
  return path.filename().string().find(word) != std::string::npos;
}

// Files of a folder, and of the folders `vertices` and `edges` in it.
CommonCrawlFiles files_in(const Path& folder) {
  CommonCrawlFiles files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const auto of = [&](std::string_view word) {
      return has_word(entry.path(), word) || has_word(entry.path().parent_path(), word);
    };
    if (of(kVertices))
      files.vertices.push_back(entry.path());
    else if (of(kEdges))
      files.edges.push_back(entry.path());
  }
  std::sort(files.vertices.begin(), files.vertices.end());
  std::sort(files.edges.begin(), files.edges.end());
  return files;
}

// The other file of a pair; empty if the name does not tell or the file does not exist.
Path partner(const Path& path, std::string_view from, std::string_view to) {
  std::string name = path.filename().string();
  const std::size_t at = name.find(from);
  if (at == std::string::npos || !std::filesystem::exists(path)) return {};
  const Path other = path.parent_path() / name.replace(at, from.size(), to);
  return std::filesystem::exists(other) ? other : Path();
}

}  // namespace

CommonCrawlFiles common_crawl_files(const Path& path) {
  if (std::filesystem::is_directory(path)) {
    CommonCrawlFiles files = files_in(path);
    if (!files.vertices.empty() && !files.edges.empty()) return files;
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: not a graph: a folder without files of vertices and edges. {}",
                            path.string(), graph_formats()));
  }
  if (const Path edges = partner(path, kVertices, kEdges); !edges.empty()) return {{path}, {edges}};
  if (const Path other = partner(path, kEdges, kVertices); !other.empty()) return {{other}, {path}};
  for (const std::string_view ending : {".txt.gz", ".txt"}) {
    const Path vertices = fmt::format("{}-{}{}", path.string(), kVertices, ending);
    const Path edges = partner(vertices, kVertices, kEdges);
    if (!edges.empty()) return {{vertices}, {edges}};
  }
  return {};
}

std::vector<Path> vertex_files(const Path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<Path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace webstrata
