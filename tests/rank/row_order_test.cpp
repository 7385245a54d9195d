// SPDX-License-Identifier: Apache-2.0
#include "webstrata/rank/row_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

// The same by a stable sort of each window.
std::vector<std::uint32_t> sorted_windows(std::uint32_t first,
                                          const std::vector<std::uint32_t>& lengths) {
  std::vector<std::uint32_t> order(lengths.size());
  std::iota(order.begin(), order.end(), first);
  for (std::size_t from = 0; from < order.size(); from += kRowWindow) {
    const std::size_t to = std::min<std::size_t>(order.size(), from + kRowWindow);
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(from),
                     order.begin() + static_cast<std::ptrdiff_t>(to),
                     [&](auto a, auto b) { return lengths[a - first] < lengths[b - first]; });
  }
  return order;
}

std::vector<std::uint32_t> ordered(std::uint32_t first, const std::vector<std::uint32_t>& lengths) {
  std::vector<std::uint32_t> order(lengths.size());
  order_by_length(first, order, [&](std::uint32_t number) { return lengths[number - first]; });
  return order;
}

TEST(RowOrder, SortsEachWindowByLength) {
  Random random(7);
  for (const std::size_t size : {0u, 1u, 5u, 1023u, 1024u, 1025u, 5000u}) {
    std::vector<std::uint32_t> lengths(size);
    for (auto& length : lengths) length = static_cast<std::uint32_t>(random.below(40));
    EXPECT_EQ(ordered(11, lengths), sorted_windows(11, lengths)) << size << " rows, seed 7";
  }
}

TEST(RowOrder, LeavesVeryLongRowsAtTheEndAsTheyAre) {
  EXPECT_EQ(ordered(0, {900, 3, 4'000'000'000, 512, 511, 0}),
            (std::vector<std::uint32_t>{5, 1, 4, 0, 2, 3}));
}

}  // namespace
}  // namespace webstrata
