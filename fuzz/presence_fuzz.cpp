// SPDX-License-Identifier: Apache-2.0

// Two bytes are the width of every node, the rest a chunk of presence rows. Whatever it is, a row
// read alone equals the same row read with all others; a broken promise traps.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/presence.h"

namespace {

using namespace webstrata;

constexpr std::size_t kOnesEnough = 100'000;

void check_node(const PresenceChunk& chunk, std::size_t node, std::uint32_t width,
                PresenceRows& rows) {
  rows.clear();
  chunk.rows(node, width, rows);
  require(rows.row_count(0) == chunk.row_count(node));
  std::vector<std::uint32_t> columns;
  const std::size_t step = 1 + rows.row_count(0) / 8;
  for (std::size_t row = 0; row < rows.row_count(0); row += step) {
    chunk.row(node, width, row, columns);
    require(std::ranges::equal(columns, rows.row(row)));
    require(columns.empty() || columns.back() < width);
    require(std::ranges::is_sorted(columns));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::uint32_t width = data[0] + 256U * data[1];
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
    const PresenceChunk chunk = PresenceChunk::open(bytes);
    PresenceRows rows;
    std::size_t ones = 0;
    const std::size_t nodes = std::min<std::size_t>(chunk.node_count(), 64);
    for (std::size_t node = 0; node < nodes && ones < kOnesEnough; ++node) {
      try {
        check_node(chunk, node, width, rows);
      } catch (const Error&) {
      }
      ones += rows.ones.size() + rows.one_ends.size();
    }
  } catch (const Error&) {
  }
  return 0;
}
