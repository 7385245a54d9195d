// SPDX-License-Identifier: Apache-2.0

// Rows of links in an order in which the branch at their end is predictable.
//
// A branch misprediction at the end of a row costs about twenty cycles, as much as adding up
// fifteen links; on web graphs that took two fifths of a sweep. So rows are processed in windows of
// neighbours, and inside a window those of equal length follow each other: nearly every prediction
// is right, and a window touches the same memory as before. docs/decisions/008-pagerank-kernels.md
// has the figures.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace webstrata {

inline constexpr std::uint32_t kRowWindow = 1024;

// Fills `order` with the numbers from `first` on: window after window, by length(number) and then
// by number. Very long rows, for which a misprediction does not matter, come last in their original
// order.
template <typename Length>
void order_by_length(std::uint32_t first, std::span<std::uint32_t> order, const Length& length) {
  constexpr std::uint32_t kLengthMax = 512;
  const auto bucket = [&](std::uint32_t number) {
    return std::min<std::uint64_t>(length(number), kLengthMax);
  };
  std::array<std::uint32_t, kLengthMax + 2> starts;
  for (std::size_t from = 0; from < order.size(); from += kRowWindow) {
    const auto window = order.subspan(from, std::min<std::size_t>(kRowWindow, order.size() - from));
    const auto number_of = [&](std::size_t i) {
      return first + static_cast<std::uint32_t>(from + i);
    };
    starts.fill(0);
    for (std::size_t i = 0; i < window.size(); ++i) ++starts[bucket(number_of(i)) + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (std::size_t i = 0; i < window.size(); ++i) {
      window[starts[bucket(number_of(i))]++] = number_of(i);
    }
  }
}

}  // namespace webstrata
