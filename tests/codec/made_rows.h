// SPDX-License-Identifier: Apache-2.0

// Rows and values made up for tests, the same on every machine for the same seed.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "webstrata/base/random.h"
#include "webstrata/codec/kinds.h"
#include "webstrata/codec/presence.h"

namespace webstrata {

struct RowShape {
  std::size_t nodes = 10;
  std::uint32_t width_max = 20;
  std::size_t rows_max = 10;
  double empty_nodes = 0.3;  // the share of nodes without rows
  double change = 0.1;       // the share of columns that change from row to row
  double equal_rows = 0.3;   // the share of rows that are equal to the one before
  bool uses_all = true;      // every column is a one somewhere, as in a node that is not cut
};

// Copies the ones of `bits`.
inline std::vector<std::uint32_t> ones_of(const std::vector<bool>& bits) {
  std::vector<std::uint32_t> ones;
  for (std::uint32_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) ones.push_back(i);
  }
  return ones;
}

inline void add_made_node(Random& random, const RowShape& shape, PresenceRows& rows) {
  const auto width = static_cast<std::uint32_t>(random.below(shape.width_max + 1));
  const std::size_t count = random.chance(shape.empty_nodes) ? 0 : 1 + random.below(shape.rows_max);
  std::vector<bool> row(width);
  std::vector<bool> used(width);
  for (std::uint32_t i = 0; i < width; ++i) row[i] = random.chance(0.5);
  for (std::size_t r = 0; r < count; ++r) {
    if (r > 0 && !random.chance(shape.equal_rows)) {
      for (std::uint32_t i = 0; i < width; ++i) row[i] = row[i] != random.chance(shape.change);
    }
    for (std::uint32_t i = 0; i < width; ++i) {
      if (shape.uses_all && r + 1 == count && !used[i]) row[i] = true;
      used[i] = used[i] || row[i];
    }
    rows.add_row(ones_of(row));
  }
  rows.add_node(width);
}

inline PresenceRows made_rows(Random& random, const RowShape& shape) {
  PresenceRows rows;
  for (std::size_t node = 0; node < shape.nodes; ++node) add_made_node(random, shape, rows);
  return rows;
}

inline RowShape made_shape(Random& random) {
  RowShape shape;
  shape.nodes = random.below(40);
  shape.width_max = 1U << random.below(10);
  shape.rows_max = std::size_t{1} << random.below(9);
  shape.empty_nodes = random.unit();
  shape.change = random.chance(0.3) ? random.unit() : random.unit() * 0.05;
  shape.equal_rows = random.unit();
  shape.uses_all = random.chance(0.7);
  if (shape.nodes * shape.width_max * shape.rows_max > 200'000) shape.nodes = 1;
  return shape;
}

// A value per column that changes now and then.
inline std::vector<LinkValue> made_values(Random& random, const PresenceRows& rows, double change,
                                          std::uint32_t kinds) {
  std::vector<LinkValue> values;
  const auto any = [&] {
    return LinkValue{static_cast<std::uint8_t>(random.below(kinds)),
                     static_cast<std::uint8_t>(random.below(kinds))};
  };
  for (std::size_t node = 0; node < rows.node_count(); ++node) {
    std::vector<LinkValue> present(rows.widths[node]);
    for (LinkValue& value : present) value = any();
    for (std::size_t row = rows.first_row(node); row < rows.row_ends[node]; ++row) {
      for (const std::uint32_t column : rows.row(row)) {
        if (random.chance(change)) present[column] = any();
        values.push_back(present[column]);
      }
    }
  }
  return values;
}

}  // namespace webstrata
