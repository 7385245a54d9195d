// SPDX-License-Identifier: Apache-2.0

// For estimators whose scores all change at every step: features of the frontier in columns, in the
// order of KnownGraph::frontier(), so that one pass over them is sequential. Internal to the room.

#pragma once

#include <span>
#include <vector>

#include "webstrata/explore/heap_estimator.h"

namespace webstrata {

// Some numbers for each node of the frontier.
class FrontierColumns {
 public:
  explicit FrontierColumns(std::size_t width) : columns_(width) {}

  // New nodes are at the end; their values are 0 until set.
  void grow(std::size_t size) {
    for (auto& column : columns_) column.resize(size);
  }
  // As KnownGraph::claim does it.
  void remove(std::size_t place) {
    for (auto& column : columns_) {
      column[place] = column.back();
      column.pop_back();
    }
  }
  void set(std::size_t column, std::size_t place, double value) { columns_[column][place] = value; }
  [[nodiscard]] std::span<const double> column(std::size_t i) const noexcept { return columns_[i]; }

 private:
  std::vector<std::vector<double>> columns_;
};

// The best `count` by scores parallel to known.frontier(), best first.
void best_of_scores(const KnownGraph& known, const Ties& ties, std::span<const double> scores,
                    std::size_t count, std::vector<Node>& nodes);

// The largest value; there is at least one. Four at a time, so that the compiler uses wide
// registers.
double largest(std::span<const double> scores) noexcept;

}  // namespace webstrata
