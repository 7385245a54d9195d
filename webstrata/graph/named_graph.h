// SPDX-License-Identifier: Apache-2.0

// A graph file with the names of its nodes, part by part: for graphs larger than memory. Only the
// names are in memory.
//
//   NamedGraph graph("cc-main-2024-host");
//   while (const auto part = graph.next()) { … }
//
// Names are taken from a list of URLs or hosts, one per line, or from Common Crawl's vertices,
// whose hosts are reversed: `org.example.www`.

#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/graph/graph_file.h"
#include "webstrata/graph/names.h"

namespace webstrata {

// A graph file and the time of what it shows.
struct DatedGraph {
  std::filesystem::path path;
  Time time = 0;
  std::filesystem::path names = {};  // empty: those that the graph has, or that are next to it
  // A graph with labels (arc_labels.h): only the links with that bit, and only nodes that have one.
  std::filesystem::path labels = {};
  unsigned label_bit = 0;
};

class NamedGraph {
 public:
  // Without `names`, a BVGraph or ASCII graph X has those in X.urls.gz, X.urls, X-vertices.txt.gz,
  // X-vertices.txt, or the folder `vertices` next to it. Throws Error(NotFound), and
  // Error(BadInput) if there are no names or not as many as nodes.
  explicit NamedGraph(const std::filesystem::path& path, const std::filesystem::path& names = {},
                      const WorkOptions& work = {});
  ~NamedGraph();
  NamedGraph(NamedGraph&&) noexcept;

  [[nodiscard]] GraphFormat format() const noexcept;
  [[nodiscard]] Node node_count() const noexcept;
  [[nodiscard]] std::string name(Node node) const;
  [[nodiscard]] bool has_reversed_names() const noexcept;
  // The lists of the next nodes; empty after the last. Lists are strictly ascending. Throws
  // Error(Corrupt), Error(BadInput).
  std::optional<SnapshotPart> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The file with the names of the nodes of that graph: what the constructor looks for. Throws
// Error(BadInput) if there is none.
std::filesystem::path names_next_to(const std::filesystem::path& base);

// The URL of a node: a name with "://" is one; a host, reversed or not, becomes `http://host/`.
// Addresses are never reversed. What it returns is not normalised.
std::string url_of_name(std::string_view name, bool is_reversed);

}  // namespace webstrata
