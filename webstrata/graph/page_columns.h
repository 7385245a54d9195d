// SPDX-License-Identifier: Apache-2.0

// The columns of nodes that a page fills, out of its rows and sightings.

#pragma once

#include "webstrata/graph/archive_snapshot.h"
#include "webstrata/graph/page_scan.h"

namespace webstrata {

class PageColumns {
 public:
  explicit PageColumns(const SnapshotRequest& request);

  [[nodiscard]] SightingDepth depth() const noexcept;
  [[nodiscard]] bool is_wanted() const noexcept { return wanted_ != WantedNodeColumns{}; }
  // Columns for this number of nodes, all unknown.
  [[nodiscard]] NodeColumns make(std::size_t size) const;
  // One value more in every column that is wanted.
  void append(const PageScan& page, NodeColumns& columns) const;
  // Copies the values from one place to another.
  static void copy(const NodeColumns& from, std::size_t place, NodeColumns& to, std::size_t node);

 private:
  void append_captures(const PageScan& page, NodeColumns& columns) const;
  void append_outcome(const PageScan& page, NodeColumns& columns) const;
  void append_changes(const PageScan& page, NodeColumns& columns) const;
  void append_content(const PageScan& page, NodeColumns& columns) const;
  [[nodiscard]] bool covers(Time time) const noexcept {
    return time >= covered_.first && time <= covered_.last;
  }

  WantedNodeColumns wanted_;
  TimeInterval covered_;
};

}  // namespace webstrata
