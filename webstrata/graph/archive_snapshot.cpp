// SPDX-License-Identifier: Apache-2.0

// Which uids are nodes is known only when the last block has been read. So lists are first kept as
// uids, in 32 bits, and every link marks its ends in a bit set; then the uids of each block are
// replaced by nodes in place. Ranks preserve the order, so nothing is sorted. Where uids do not fit
// into 32 bits the blocks are read twice: for the marks, and for the lists.
//
// Tested by tests/graph/archive_snapshot_test.cpp.

#include "webstrata/graph/archive_snapshot.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/base/error.h"
#include "webstrata/graph/page_columns.h"
#include "webstrata/graph/page_links.h"
#include "webstrata/graph/score_columns.h"

namespace webstrata {
namespace {

// The pages of a block.
struct BlockGraph {
  std::vector<std::uint32_t> sources;    // places in the block, parallel to part.ends
  SnapshotPart part;                     // lists of the sources only
  std::vector<std::uint32_t> described;  // places in the block, parallel to `columns`
  NodeColumns columns;
};

class ArchiveNames : public NodeNames {
 public:
  ArchiveNames(Archive archive, std::shared_ptr<const UidSet> uids)
      : archive_(std::move(archive)), uids_(std::move(uids)) {}
  [[nodiscard]] std::string name(Node node) const override {
    return archive_.url(uids_->uid(node));
  }
  [[nodiscard]] std::optional<Node> find(std::string_view url) const override {
    const auto uid = archive_.uid(url);
    return uid ? uids_->node(*uid) : std::nullopt;
  }

 private:
  Archive archive_;
  std::shared_ptr<const UidSet> uids_;
};

// The graph of pages, before anything is joined.
class PageGraph {
 public:
  PageGraph(const Archive& archive, const SnapshotRequest& request)
      : archive_(archive),
        stack_(archive.stack()),
        request_(request),
        columns_(request),
        uids_(std::make_shared<UidSet>(archive.node_count())),
        blocks_(stack_.block_count()) {}

  Snapshot read() {
    const bool fits = archive_.node_count() <= request_.one_pass_uids_max;
    for_each_block("reading pages", [&](std::size_t block) { mark_block(block, fits); });
    uids_->seal();
    node_columns_ = columns_.make(uids_->size());
    SnapshotBuilder builder(uids_->size());
    for_each_block(fits ? "numbering nodes" : "reading links", [&](std::size_t block) {
      if (fits) {
        for (Node& target : blocks_[block].part.targets) target = node_of(target);
      } else {
        read_block(block);
      }
      builder.add(finished_part(block));
    });
    return builder.finish(request_.work)
        .with_uids(uids_)
        .with_names(std::make_shared<ArchiveNames>(archive_, uids_))
        .with_node_columns(std::move(node_columns_));
  }

 private:
  template <typename Function>
  void for_each_block(std::string_view phase, const Function& function) {
    run_tasks(blocks_.size(), request_.work, phase, function);
  }

  // Calls `visit` with every page of a block that the archive knows something about.
  template <typename Visit>
  void visit_pages(std::size_t block, const Visit& visit) {
    PageScan scan(archive_, block, std::max(columns_.depth(), PageLinks::depth(request_)));
    PageLinks links(request_, stack_.options().kinds);
    while (scan.next()) {
      links.read(scan);
      visit(scan, links);
    }
  }

  // Marks the nodes of a block, and keeps its lists, as uids, if requested.
  void mark_block(std::size_t block, bool keep) {
    BlockGraph& graph = blocks_[block];
    visit_pages(block, [&](const PageScan& page, const PageLinks& links) {
      mark(page.uid(), links);
      if (!keep) return;
      this->keep(
          page, links, [](Uid uid) { return static_cast<Node>(uid); }, graph);
    });
    shrink(graph);
  }

  // Keeps the lists of a block, as nodes.
  void read_block(std::size_t block) {
    visit_pages(block, [&](const PageScan& page, const PageLinks& links) {
      keep(
          page, links, [this](Uid uid) { return node_of(uid); }, blocks_[block]);
    });
  }

  void mark(Uid page, const PageLinks& links) {
    const auto targets = links.targets();
    if (!targets.empty() && targets.back() >= archive_.node_count()) {
      throw Error(ErrorKind::Corrupt,
                  fmt::format("{}: a link of node {} leads outside the archive; restore it",
                              archive_.path().string(), page));
    }
    if (links.is_page()) uids_->insert(page);
    for (const Uid target : targets) uids_->insert(target);
  }

  template <typename NumberOf>
  void keep(const PageScan& page, const PageLinks& links, const NumberOf& number_of,
            BlockGraph& graph) const {
    const auto place =
        static_cast<std::uint32_t>(page.uid() - stack_.first_node(stack_.block_of(page.uid())));
    if (columns_.is_wanted()) {
      graph.described.push_back(place);
      columns_.append(page, graph.columns);
    }
    if (links.targets().empty()) return;
    graph.sources.push_back(place);
    for (const Uid target : links.targets()) graph.part.targets.push_back(number_of(target));
    for (const LinkFacts& link : links.facts()) append_link(link, graph.part.columns);
    graph.part.end_list();
  }

  void append_link(const LinkFacts& link, LinkColumns& columns) const {
    if (request_.link_columns.kinds) columns.kinds.push_back(link.kinds);
    if (request_.link_columns.count) columns.count.push_back(link.count);
    if (!request_.link_columns.seen) return;
    columns.first_seen.push_back(link.first);
    columns.last_seen.push_back(link.last);
  }

  // Blocks stay until all are read, so unused capacity is released.
  static void shrink(BlockGraph& graph) {
    graph.sources.shrink_to_fit();
    graph.part.ends.shrink_to_fit();
    graph.part.targets.shrink_to_fit();
  }

  // Every node of the block gets its list, most of them an empty one, and its columns.
  SnapshotPart finished_part(std::size_t block) {
    BlockGraph graph = std::move(blocks_[block]);
    blocks_[block] = {};
    const Uid first = stack_.first_node(block);
    const Uid end = std::min<Uid>(stack_.first_node(block + 1), archive_.node_count());
    std::vector<std::uint64_t> source_ends = std::move(graph.part.ends);
    graph.part.ends = {};
    std::optional<Node> first_node;
    Node node = 0;
    std::size_t source = 0;
    std::size_t described = 0;
    std::uint64_t list_end = 0;
    for (Uid uid = first; uid < end; ++uid) {
      const auto place = static_cast<std::uint32_t>(uid - first);
      while (described < graph.described.size() && graph.described[described] < place) ++described;
      if (!uids_->contains(uid)) continue;
      if (!first_node) node = *(first_node = node_of(uid));
      const bool is_source = source < graph.sources.size() && graph.sources[source] == place;
      if (is_source) list_end = source_ends[source++];
      graph.part.ends.push_back(list_end);
      const bool is_described =
          described < graph.described.size() && graph.described[described] == place;
      if (is_described) PageColumns::copy(graph.columns, described, node_columns_, node);
      ++node;
    }
    graph.part.first = first_node.value_or(0);
    return std::move(graph.part);
  }

  [[nodiscard]] Node node_of(Uid uid) const noexcept { return *uids_->node(uid); }

  const Archive& archive_;
  const StackReader& stack_;
  const SnapshotRequest& request_;
  PageColumns columns_;
  std::shared_ptr<UidSet> uids_;
  std::vector<BlockGraph> blocks_;
  NodeColumns node_columns_;
};

}  // namespace

Snapshot snapshot_of(const Archive& archive, const SnapshotRequest& request) {
  Snapshot pages = PageGraph(archive, request).read();
  for (const std::string& name : request.scores) pages = with_scores(archive, pages, name);
  if (request.view == GraphView{}) return pages;
  return viewed(pages, request.view, request.work).graph;
}

}  // namespace webstrata
