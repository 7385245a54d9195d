// SPDX-License-Identifier: Apache-2.0

// BVGraph and Common Crawl's sorted edges are read in order, a part at a time; the small formats
// are loaded whole and cut. Tested by tests/graph/named_graph_test.cpp.

#include "webstrata/graph/named_graph.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/graph/bvgraph.h"
#include "webstrata/graph/common_crawl.h"
#include "webstrata/graph/line_reader.h"
#include "webstrata/url/host.h"

namespace webstrata {
namespace {

using Path = std::filesystem::path;

constexpr Node kSliceNodes = 1 << 15;

// "12<tab>org.example": a line of vertices, not of a list of names.
bool begins_with_vertices(const Path& path) {
  if (std::filesystem::is_directory(path)) return true;
  constexpr std::size_t kNumberBytes = 64;
  LineReader lines(path);
  const std::string_view start = lines.peek(kNumberBytes);
  const std::size_t digits = std::min(start.find_first_not_of("0123456789"), start.size());
  return digits > 0 && digits < start.size() && start[digits] == '\t';
}

Path without_ending(const Path& path) {
  std::string name = path.string();
  for (const std::string_view ending : {".gz", ".graph-txt"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return name;
}

}  // namespace

Path names_next_to(const Path& base) {
  for (const std::string_view ending : {".urls.gz", ".urls", "-vertices.txt.gz", "-vertices.txt"}) {
    const Path names = fmt::format("{}{}", base.string(), ending);
    if (std::filesystem::exists(names)) return names;
  }
  const Path folder = base.parent_path() / "vertices";
  if (std::filesystem::is_directory(folder)) return folder;
  throw Error(
      ErrorKind::BadInput,
      fmt::format("{0}: its nodes have no names: put them into {1}.urls.gz, one per line in "
                  "the order of nodes, or into {1}-vertices.txt.gz, or give the file",
                  base.string(), base.filename().string()));
}

// A graph in memory, cut into parts.
class SnapshotSlices {
 public:
  explicit SnapshotSlices(Snapshot graph) : graph_(std::move(graph)) {}

  [[nodiscard]] const Snapshot& graph() const noexcept { return graph_; }
  std::optional<SnapshotPart> next() {
    if (next_ == graph_.node_count()) return std::nullopt;
    SnapshotPart part;
    part.first = next_;
    const Node end = static_cast<Node>(
        std::min(std::uint64_t{next_} + kSliceNodes, std::uint64_t{graph_.node_count()}));
    for (; next_ < end; ++next_) {
      const auto list = graph_.successors(next_);
      part.targets.insert(part.targets.end(), list.begin(), list.end());
      part.end_list();
    }
    return part;
  }

 private:
  Snapshot graph_;
  Node next_ = 0;
};

struct NamedGraph::State {
  GraphFormat format = GraphFormat::Tsv;
  Node node_count = 0;
  std::shared_ptr<const NodeNames> names;
  bool is_reversed = false;
  // One of these.
  std::unique_ptr<BvGraphParts> bvgraph;
  std::unique_ptr<EdgeParts> edges;
  std::unique_ptr<SnapshotSlices> snapshot;

  void open_common_crawl(const Path& path, const WorkOptions& work) {
    const CommonCrawlFiles files = common_crawl_files(path);
    names = read_vertices(files.vertices, work).names;
    node_count = static_cast<const NameList&>(*names).size();
    is_reversed = true;
    edges = std::make_unique<EdgeParts>(files.edges, node_count, work);
  }

  void open_lists(const Path& path, const WorkOptions& work) {
    if (format == GraphFormat::BvGraph) {
      bvgraph = std::make_unique<BvGraphParts>(bvgraph_base(path), work);
      node_count = bvgraph->node_count();
      return;
    }
    snapshot = std::make_unique<SnapshotSlices>(load_graph(path, {.work = work}));
    node_count = snapshot->graph().node_count();
    names = snapshot->graph().names();
  }

  void read_names(const Path& path, const WorkOptions& work) {
    is_reversed = begins_with_vertices(path);
    if (!is_reversed) {
      names = load_name_list(path, node_count, work);
      return;
    }
    const auto found = read_vertices(vertex_files(path), work).names;
    if (found->size() != node_count) {
      throw Error(ErrorKind::BadInput, fmt::format("{}: there are {} vertices for {} nodes",
                                                   path.string(), found->size(), node_count));
    }
    names = found;
  }
};

NamedGraph::NamedGraph(const Path& path, const Path& names, const WorkOptions& work)
    : state_(std::make_unique<State>()) {
  state_->format = recognise_graph(path);
  if (state_->format == GraphFormat::CommonCrawl) {
    state_->open_common_crawl(path, work);
  } else {
    state_->open_lists(path, work);
  }
  if (!names.empty()) {
    state_->read_names(names, work);
  } else if (!state_->names) {
    const Path base =
        state_->format == GraphFormat::BvGraph ? bvgraph_base(path) : without_ending(path);
    state_->read_names(names_next_to(base), work);
  }
}

NamedGraph::~NamedGraph() = default;
NamedGraph::NamedGraph(NamedGraph&&) noexcept = default;

GraphFormat NamedGraph::format() const noexcept { return state_->format; }
Node NamedGraph::node_count() const noexcept { return state_->node_count; }
std::string NamedGraph::name(Node node) const { return state_->names->name(node); }
bool NamedGraph::has_reversed_names() const noexcept { return state_->is_reversed; }

std::optional<SnapshotPart> NamedGraph::next() {
  if (state_->bvgraph) return state_->bvgraph->next();
  return state_->edges ? state_->edges->next() : state_->snapshot->next();
}

std::string url_of_name(std::string_view name, bool is_reversed) {
  if (name.find("://") != std::string_view::npos) return std::string(name);
  if (!is_reversed || is_ip_address(name)) return fmt::format("http://{}/", name);
  std::string url = "http://";
  while (true) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) break;
    url.append(name.substr(dot + 1)).push_back('.');
    name = name.substr(0, dot);
  }
  return url.append(name) + "/";
}

}  // namespace webstrata
