// SPDX-License-Identifier: Apache-2.0

// Transposes without a second array of positions, and without two threads sharing a counter: the
// in-degrees of all nodes are counted one place too far to the right, so that the sums are the
// places where the lists begin, and filling a list moves its entry to where the next one begins.
// Each thread fills the lists of its own range of targets and finds them in every list of sources
// by a binary search; sources are met in ascending order, so the lists need no sorting.
//
// Tested by tests/graph/snapshot_test.cpp.

#include "webstrata/graph/snapshot.h"

#include <algorithm>
#include <atomic>
#include <charconv>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/threads.h"

namespace webstrata {
namespace {

// Counts the occurrences of each target of targets[first, last) in counts[target].
void count_targets(std::span<const Node> targets, std::span<std::uint64_t> counts, bool shared) {
  if (!shared) {
    for (const Node target : targets) ++counts[target];
    return;
  }
  for (const Node target : targets) {
    std::atomic_ref(counts[target]).fetch_add(1, std::memory_order_relaxed);
  }
}

template <typename Value>
void check_size(const Column<Value>& column, std::uint64_t size, std::string_view of) {
  if (column.empty() || column.size() == size) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("a column of {} values cannot belong to {} {}", column.size(), size, of));
}

}  // namespace

Snapshot::Snapshot() : Snapshot(std::make_shared<const Rows>()) {}

Snapshot::Snapshot(std::shared_ptr<const Rows> out)
    : out_(std::move(out)),
      reverse_(std::make_shared<Reverse>()),
      node_columns_(std::make_shared<const NodeColumns>()),
      link_columns_(std::make_shared<const LinkColumns>()) {}

Snapshot Snapshot::from_links(std::uint64_t node_count, std::vector<std::pair<Node, Node>> links) {
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  SnapshotBuilder builder(node_count);
  std::vector<Node> targets;
  for (std::size_t i = 0; i < links.size(); ++i) {
    targets.push_back(links[i].second);
    if (i + 1 < links.size() && links[i + 1].first == links[i].first) continue;
    builder.add(links[i].first, targets);
    targets.clear();
  }
  return builder.finish();
}

Snapshot::Rows Snapshot::transpose(const Rows& rows, const WorkOptions& work) {
  const std::uint64_t nodes = rows.starts.size() - 1;
  const std::size_t threads = work.threads == 0 ? default_thread_count() : work.threads;
  Rows in;
  in.starts.assign(nodes + 2, 0);
  const std::span counts = std::span(in.starts).subspan(2);
  const auto source_borders = balanced_borders(rows.starts, threads * 4);
  run_tasks(source_borders.size() - 1, work, "counting links", [&](std::size_t i) {
    const std::uint64_t first = rows.starts[source_borders[i]];
    const std::uint64_t last = rows.starts[source_borders[i + 1]];
    count_targets({rows.targets.data() + first, last - first}, counts, threads > 1);
  });
  for (std::uint64_t i = 2; i < in.starts.size(); ++i) in.starts[i] += in.starts[i - 1];

  in.targets.resize(rows.targets.size());
  const std::vector<std::uint64_t> ends(in.starts.begin() + 1, in.starts.end());
  const auto target_borders = balanced_borders(ends, threads);
  run_tasks(target_borders.size() - 1, work, "inverting links", [&](std::size_t i) {
    const auto first = static_cast<Node>(target_borders[i]);
    const std::uint64_t last = target_borders[i + 1];
    for (std::uint64_t source = 0; source < nodes; ++source) {
      if ((source & 0xffff) == 0) work.check_cancelled();
      const auto list = rows.list(static_cast<Node>(source));
      auto target = first == 0 ? list.begin() : std::lower_bound(list.begin(), list.end(), first);
      for (; target != list.end() && *target < last; ++target) {
        in.targets[in.starts[*target + std::size_t{1}]++] = static_cast<Node>(source);
      }
    }
  });
  in.starts.pop_back();
  return in;
}

void Snapshot::prepare_predecessors(const WorkOptions& work) const {
  const std::lock_guard lock(reverse_->mutex);
  if (reverse_->rows != nullptr) return;
  reverse_->rows = std::make_shared<const Rows>(transpose(*out_, work));
  reverse_->ready.store(reverse_->rows.get(), std::memory_order_release);
}

std::optional<std::uint64_t> Snapshot::find_link(Node source, Node target) const noexcept {
  const auto list = successors(source);
  const auto found = std::lower_bound(list.begin(), list.end(), target);
  if (found == list.end() || *found != target) return std::nullopt;
  return first_link(source) + static_cast<std::uint64_t>(found - list.begin());
}

Snapshot Snapshot::transposed(const WorkOptions& work) const {
  prepare_predecessors(work);
  Snapshot other = *this;
  other.out_ = reverse_->rows;
  other.reverse_ = std::make_shared<Reverse>();
  other.reverse_->rows = out_;
  other.reverse_->ready.store(out_.get(), std::memory_order_release);
  other.link_columns_ = std::make_shared<const LinkColumns>();
  return other;
}

std::optional<Uid> Snapshot::uid(Node node) const noexcept {
  if (uids_ == nullptr) return std::nullopt;
  return uids_->uid(node);
}

std::optional<Node> Snapshot::node(Uid uid) const noexcept {
  return uids_ == nullptr ? std::nullopt : uids_->node(uid);
}

std::string Snapshot::name(Node node) const {
  return names_ == nullptr ? std::to_string(node) : names_->name(node);
}

std::optional<Node> Snapshot::find(std::string_view name) const {
  if (names_ != nullptr) return names_->find(name);
  Node node = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), node);
  if (problem != std::errc() || end != name.data() + name.size() || node >= node_count()) {
    return std::nullopt;
  }
  return node;
}

Snapshot Snapshot::with_uids(UidSet uids) const {
  return with_uids(std::make_shared<const UidSet>(std::move(uids)));
}

Snapshot Snapshot::with_uids(std::shared_ptr<const UidSet> uids) const {
  if (uids->size() != node_count()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} uids cannot belong to {} nodes", uids->size(), node_count()));
  }
  Snapshot other = *this;
  other.uids_ = std::move(uids);
  return other;
}

Snapshot Snapshot::with_names(std::shared_ptr<const NodeNames> names) const {
  Snapshot other = *this;
  other.names_ = std::move(names);
  return other;
}

Snapshot Snapshot::with_node_columns(NodeColumns columns) const {
  const auto check = [&](const auto& column) { check_size(column, node_count(), "nodes"); };
  columns.for_each(check);
  Snapshot other = *this;
  other.node_columns_ = std::make_shared<const NodeColumns>(std::move(columns));
  return other;
}

Snapshot Snapshot::with_link_columns(LinkColumns columns) const {
  const auto check = [&](const auto& column) { check_size(column, link_count(), "links"); };
  columns.for_each(check);
  Snapshot other = *this;
  other.link_columns_ = std::make_shared<const LinkColumns>(std::move(columns));
  return other;
}

Snapshot Snapshot::with_links_of(const Snapshot& other) const {
  if (other.node_count() != node_count()) {
    throw Error(ErrorKind::BadInput, fmt::format("links of {} nodes cannot belong to {} nodes",
                                                 other.node_count(), node_count()));
  }
  Snapshot joined = *this;
  joined.out_ = other.out_;
  joined.reverse_ = other.reverse_;
  joined.link_columns_ = other.link_columns_;
  return joined;
}

std::size_t Snapshot::memory_bytes() const noexcept {
  const auto bytes = [](const Rows& rows) {
    return rows.starts.capacity() * sizeof(std::uint64_t) + rows.targets.capacity() * sizeof(Node);
  };
  const Rows* in = reverse_->ready.load(std::memory_order_acquire);
  return bytes(*out_) + (in == nullptr ? 0 : bytes(*in));
}

bool same_links(const Snapshot& a, const Snapshot& b) {
  if (a.node_count() != b.node_count() || a.link_count() != b.link_count()) return false;
  for (Node node = 0; node < a.node_count(); ++node) {
    if (!std::ranges::equal(a.successors(node), b.successors(node))) return false;
  }
  return true;
}

}  // namespace webstrata
