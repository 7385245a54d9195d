// SPDX-License-Identifier: Apache-2.0

// What an optional layer holds about one node, before it is encoded: a list for each column of the
// layer. The columns are those of its entry in archive/disk/layer.cpp.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace webstrata {

// The type of the column says which of the two is used.
struct ListCell {
  std::vector<std::int64_t> numbers = {};
  std::vector<std::string> texts = {};

  [[nodiscard]] std::size_t size() const noexcept { return numbers.size() + texts.size(); }
  friend bool operator==(const ListCell&, const ListCell&) = default;
};

// Empty: the layer holds nothing about the node.
using LayerRow = std::vector<ListCell>;

// The length of its longest list: what a summary counts as items.
inline std::uint64_t item_count(const LayerRow& row) noexcept {
  std::uint64_t count = 0;
  for (const ListCell& cell : row) count = cell.size() > count ? cell.size() : count;
  return count;
}

}  // namespace webstrata
