// SPDX-License-Identifier: Apache-2.0

// One graph at one time, in memory: what rank, seeds, liverank and explore work on.
//
//   const auto graph = Snapshot::from_links(3, {{0, 1}, {0, 2}, {2, 0}});
//   for (const Node target : graph.successors(0)) ...
//
// Nodes are dense 32-bit numbers; lists of successors and predecessors are ascending and without
// repetitions. The memory is 4 bytes per link and 8 per node for each direction. The predecessors
// are computed on first use, or earlier, on several threads, by prepare_predecessors().
//
// A Snapshot never changes. Copies share the same memory and cost nothing, and threads may share
// one freely. On top of the links it may know the uids of its nodes in an archive, their names, and
// columns of facts (columns.h). SnapshotBuilder makes one out of lists.

#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/base/work.h"
#include "webstrata/graph/columns.h"
#include "webstrata/graph/names.h"
#include "webstrata/graph/uid_set.h"

namespace webstrata {

// Every number below is a node; one more would need 33 bits.
inline constexpr std::uint64_t kNodesMax = 0xffffffff;

class Snapshot {
 public:
  // The graph without nodes.
  Snapshot();
  // Links in any order; repeated ones count once. Throws Error(BadInput) if one leads outside.
  static Snapshot from_links(std::uint64_t node_count, std::vector<std::pair<Node, Node>> links);

  [[nodiscard]] Node node_count() const noexcept {
    return static_cast<Node>(out_->starts.size() - 1);
  }
  [[nodiscard]] std::uint64_t link_count() const noexcept { return out_->targets.size(); }
  [[nodiscard]] std::span<const Node> successors(Node node) const noexcept {
    return out_->list(node);
  }
  [[nodiscard]] std::span<const Node> predecessors(Node node) const {
    return in_links().list(node);
  }
  [[nodiscard]] std::uint32_t out_degree(Node node) const noexcept { return out_->degree(node); }
  [[nodiscard]] std::uint32_t in_degree(Node node) const { return in_links().degree(node); }
  // Computes the predecessors now. If cancelled, nothing has changed.
  void prepare_predecessors(const WorkOptions& work = {}) const;

  // Where the links of `node` begin in the columns of links.
  [[nodiscard]] std::uint64_t first_link(Node node) const noexcept { return out_->starts[node]; }
  // Where that link is in the columns of links; empty if it does not exist.
  [[nodiscard]] std::optional<std::uint64_t> find_link(Node source, Node target) const noexcept;

  // The concatenated lists of all nodes, and where each begins, with the end of the last: for
  // arrays of other programs.
  [[nodiscard]] std::span<const std::uint64_t> starts() const noexcept { return out_->starts; }
  [[nodiscard]] std::span<const Node> targets() const noexcept { return out_->targets; }

  // The transposed graph. It shares the memory of both directions; uids, names and columns of nodes
  // stay, columns of links do not.
  [[nodiscard]] Snapshot transposed(const WorkOptions& work = {}) const;

  // The number of the node in the archive that the graph came from.
  [[nodiscard]] bool has_uids() const noexcept { return uids_ != nullptr; }
  [[nodiscard]] std::optional<Uid> uid(Node node) const noexcept;
  [[nodiscard]] std::optional<Node> node(Uid uid) const noexcept;

  // The name of the node; without names its number.
  [[nodiscard]] bool has_names() const noexcept { return names_ != nullptr; }
  [[nodiscard]] std::string name(Node node) const;
  // The node of that name; without names, of that number.
  [[nodiscard]] std::optional<Node> find(std::string_view name) const;
  [[nodiscard]] const std::shared_ptr<const NodeNames>& names() const noexcept { return names_; }

  [[nodiscard]] const NodeColumns& node_columns() const noexcept { return *node_columns_; }
  [[nodiscard]] const LinkColumns& link_columns() const noexcept { return *link_columns_; }

  // The same graph with something more. Throw Error(BadInput) if a size does not fit.
  [[nodiscard]] Snapshot with_uids(UidSet uids) const;
  [[nodiscard]] Snapshot with_uids(std::shared_ptr<const UidSet> uids) const;  // shared with others
  [[nodiscard]] Snapshot with_names(std::shared_ptr<const NodeNames> names) const;
  [[nodiscard]] Snapshot with_node_columns(NodeColumns columns) const;
  [[nodiscard]] Snapshot with_link_columns(LinkColumns columns) const;
  // The links and columns of links of `other`, which has the same number of nodes, with everything
  // else from here.
  [[nodiscard]] Snapshot with_links_of(const Snapshot& other) const;

  // Bytes of the links in the directions made so far.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  friend class SnapshotBuilder;

  // Compressed sparse rows: the list of node i is targets[starts[i], starts[i + 1]).
  struct Rows {
    std::vector<std::uint64_t> starts = {0};
    std::vector<Node> targets;

    [[nodiscard]] std::uint32_t degree(Node node) const noexcept {
      assert(node + std::size_t{1} < starts.size());
      return static_cast<std::uint32_t>(starts[node + std::size_t{1}] - starts[node]);
    }
    [[nodiscard]] std::span<const Node> list(Node node) const noexcept {
      return {targets.data() + starts[node], degree(node)};
    }
  };
  // The other direction, made once and then shared by all copies.
  struct Reverse {
    std::mutex mutex;
    std::atomic<const Rows*> ready = nullptr;
    std::shared_ptr<const Rows> rows;
  };

  explicit Snapshot(std::shared_ptr<const Rows> out);
  static Rows transpose(const Rows& rows, const WorkOptions& work);
  [[nodiscard]] const Rows& in_links() const {
    const Rows* rows = reverse_->ready.load(std::memory_order_acquire);
    if (rows != nullptr) return *rows;
    prepare_predecessors();
    return *reverse_->rows;
  }

  std::shared_ptr<const Rows> out_;
  std::shared_ptr<Reverse> reverse_;
  std::shared_ptr<const UidSet> uids_;
  std::shared_ptr<const NodeNames> names_;
  std::shared_ptr<const NodeColumns> node_columns_;
  std::shared_ptr<const LinkColumns> link_columns_;
};

// Whether both have the same nodes and links; uids, names and columns are not compared.
bool same_links(const Snapshot& a, const Snapshot& b);

// Lists of consecutive nodes, as one worker decoded them.
struct SnapshotPart {
  Node first = 0;                        // the first node
  std::vector<std::uint64_t> ends = {};  // where each node's list ends in `targets`
  std::vector<Node> targets = {};        // strictly ascending inside a list
  LinkColumns columns = {};              // each as long as `targets`, or empty in all parts

  // Closes the list of the next node; its targets were pushed before.
  void end_list() { ends.push_back(targets.size()); }
};

// Makes a Snapshot out of lists that come one by one, or in parts from several threads.
//
//   SnapshotBuilder builder;
//   builder.add(0, targets_of_0);   // one thread, sources ascending, or
//   builder.add(std::move(part));   // any thread, any order
//   const Snapshot graph = builder.finish();
//
// Nodes that are not added have no links. At the peak it takes 8 bytes per link and 16 per node.
class SnapshotBuilder {
 public:
  // Without `node_count` it is one more than the largest number that occurs. Throws
  // Error(BadInput) above kNodesMax.
  explicit SnapshotBuilder(std::optional<std::uint64_t> node_count = std::nullopt);

  // `source` is above that of the call before. `targets` strictly ascending.
  void add(Node source, std::span<const Node> targets);
  // Parts must not overlap. Empty lists at the end may be left out.
  void add(SnapshotPart part);
  // Throws Error(BadInput) if parts overlap, a list is not ascending or leads outside. The builder
  // is empty afterwards.
  Snapshot finish(const WorkOptions& work = {});

 private:
  void close_part();
  [[nodiscard]] std::uint64_t count_nodes() const;
  void append_columns(LinkColumns& columns) const;

  std::optional<std::uint64_t> node_count_;
  std::mutex mutex_;
  std::vector<SnapshotPart> parts_;
  SnapshotPart open_;
};

}  // namespace webstrata
