// SPDX-License-Identifier: Apache-2.0

// What one page adds to a graph: whether it exists, and its links.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "webstrata/graph/archive_snapshot.h"
#include "webstrata/graph/page_scan.h"

namespace webstrata {

// What is known about a link in the time of the graph.
struct LinkFacts {
  Uid target = 0;
  LinkKinds kinds;
  std::uint8_t count = 0;
  Time first = 0;
  Time last = 0;
};

// Created once per thread, called page by page.
class PageLinks {
 public:
  // `archive_kinds`: the kinds of links that the archive has kept.
  PageLinks(const SnapshotRequest& request, LinkKinds archive_kinds);

  // What read() needs to know about sightings.
  [[nodiscard]] static SightingDepth depth(const SnapshotRequest& request) noexcept;

  void read(PageScan& page);
  [[nodiscard]] bool is_page() const noexcept { return is_page_; }
  // Ascending. They live until the next read(), or next page.
  [[nodiscard]] std::span<const Uid> targets() const noexcept { return targets_; }
  // Parallel to the links; empty unless the request has columns of links.
  [[nodiscard]] std::span<const LinkFacts> facts() const noexcept { return facts_; }

 private:
  void read_captures(PageScan& page, TimeInterval during);
  void read_state(PageScan& page, Time time);
  void add_state_row(PageScan& page, std::size_t row, bool is_moved);
  void add_moves(const PageScan& page, Time time);
  void look_back(PageScan& page, Time time);
  void sort_and_join();
  [[nodiscard]] bool is_wanted(LinkKinds kinds) const noexcept {
    return takes_all_ || kinds.intersects(kinds_);
  }

  GraphTime time_;
  LinkKinds kinds_;
  bool takes_all_;    // no link of the archive is of other kinds
  bool wants_facts_;  // some column of links is requested
  bool wants_first_;  // first and last seen are

  bool is_page_ = false;
  std::span<const Uid> targets_;
  std::vector<Uid> target_list_;
  std::vector<LinkFacts> facts_;
  std::vector<LinkFacts> by_column_;  // of the union of links
  std::vector<bool> is_seen_;
};

}  // namespace webstrata
