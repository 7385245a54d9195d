// SPDX-License-Identifier: Apache-2.0

// Parts are sorted by their first node, and copied in parallel to their places; each is freed as
// soon as it is copied. Tested by tests/graph/snapshot_test.cpp.

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {
namespace {

constexpr std::size_t kOpenPartLinks = std::size_t{1} << 20;
constexpr std::size_t kOpenPartNodes = std::size_t{1} << 18;

std::uint64_t end_node(const SnapshotPart& part) { return part.first + part.ends.size(); }

void check_node_count(std::uint64_t node_count) {
  if (node_count <= kNodesMax) return;
  refuse(fmt::format("a snapshot holds at most {} nodes, not {}; choose a level or a shorter time",
                     kNodesMax, node_count));
}

// Every list strictly ascending and inside the graph, and the ends ascending up to the last target.
void check_lists(const SnapshotPart& part, std::uint64_t node_count) {
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < part.ends.size(); ++i) {
    const std::uint64_t end = part.ends[i];
    if (end < start || end > part.targets.size()) refuse("the lists of a part do not fit");
    for (std::uint64_t j = start; j < end; ++j) {
      const bool ascends = j == start || part.targets[j - 1] < part.targets[j];
      if (ascends && part.targets[j] < node_count) continue;
      refuse(fmt::format("the targets of node {} {}", part.first + i,
                         ascends ? fmt::format("lead outside the {} nodes", node_count)
                                 : "are not in ascending order"));
    }
    start = end;
  }
  if (start != part.targets.size()) refuse("the lists of a part do not fit");
}

}  // namespace

SnapshotBuilder::SnapshotBuilder(std::optional<std::uint64_t> node_count)
    : node_count_(node_count) {
  if (node_count) check_node_count(*node_count);
}

void SnapshotBuilder::add(Node source, std::span<const Node> targets) {
  const std::uint64_t next = end_node(open_);
  // A large gap in the sources begins a new part rather than filling memory with empty lists.
  const bool is_full =
      open_.targets.size() >= kOpenPartLinks || open_.ends.size() >= kOpenPartNodes;
  if (!open_.ends.empty() && (is_full || source > next + 1024)) close_part();
  if (open_.ends.empty()) open_.first = source;
  if (source < end_node(open_)) {
    refuse(fmt::format("node {} comes after node {}", source, end_node(open_) - 1));
  }
  while (end_node(open_) < source) open_.end_list();
  open_.targets.insert(open_.targets.end(), targets.begin(), targets.end());
  open_.end_list();
}

void SnapshotBuilder::close_part() {
  if (open_.ends.empty()) return;
  add(std::move(open_));
  open_ = {};
}

void SnapshotBuilder::add(SnapshotPart part) {
  const std::lock_guard lock(mutex_);
  parts_.push_back(std::move(part));
}

std::uint64_t SnapshotBuilder::count_nodes() const {
  if (node_count_) return *node_count_;
  std::uint64_t count = 0;
  for (const SnapshotPart& part : parts_) {
    count = std::max(count, end_node(part));
    for (const Node target : part.targets) count = std::max(count, target + std::uint64_t{1});
  }
  check_node_count(count);
  return count;
}

void SnapshotBuilder::append_columns(LinkColumns& columns) const {
  for (const SnapshotPart& part : parts_) columns.append(part.columns);
}

Snapshot SnapshotBuilder::finish(const WorkOptions& work) {
  close_part();
  const std::uint64_t node_count = count_nodes();
  std::sort(parts_.begin(), parts_.end(), [](const SnapshotPart& a, const SnapshotPart& b) {
    return std::pair(a.first, a.ends.size()) < std::pair(b.first, b.ends.size());
  });

  auto rows = std::make_shared<Snapshot::Rows>();
  rows->starts.resize(node_count + 1);
  std::vector<std::uint64_t> first_links;  // of each part
  std::uint64_t links = 0;
  std::uint64_t filled = 0;  // nodes whose starts are known
  for (const SnapshotPart& part : parts_) {
    if (part.first < filled) refuse(fmt::format("the lists of node {} come twice", part.first));
    if (end_node(part) > node_count) {
      refuse(fmt::format("node {} is not one of the {} nodes", end_node(part) - 1, node_count));
    }
    for (; filled < part.first; ++filled) rows->starts[filled] = links;
    filled = end_node(part);
    first_links.push_back(links);
    links += part.targets.size();
  }
  for (; filled <= node_count; ++filled) rows->starts[filled] = links;

  LinkColumns columns;
  append_columns(columns);
  rows->targets.resize(links);
  run_tasks(parts_.size(), work, "joining lists", [&](std::size_t i) {
    SnapshotPart& part = parts_[i];
    check_lists(part, node_count);
    std::uint64_t start = first_links[i];
    for (std::size_t j = 0; j < part.ends.size(); ++j) {
      rows->starts[part.first + j] = start;
      start = first_links[i] + part.ends[j];
    }
    std::copy(part.targets.begin(), part.targets.end(),
              rows->targets.begin() + static_cast<std::ptrdiff_t>(first_links[i]));
    part = {};
  });
  parts_.clear();
  return Snapshot(std::move(rows)).with_link_columns(std::move(columns));
}

}  // namespace webstrata
