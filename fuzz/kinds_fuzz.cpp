// SPDX-License-Identifier: Apache-2.0

// Two bytes are the width of every node and the number of its rows, all ones; the rest is a chunk
// of kinds. Whatever it is, a row read alone equals the same row read with all others.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/kinds.h"

namespace {

using namespace webstrata;

PresenceRows full_rows(std::uint32_t width, std::size_t count) {
  PresenceRows rows;
  std::vector<std::uint32_t> columns(width);
  std::iota(columns.begin(), columns.end(), 0U);
  for (std::size_t row = 0; row < count; ++row) rows.add_row(columns);
  rows.add_node(width);
  return rows;
}

void check_node(const KindsChunk& chunk, std::size_t node, const PresenceRows& rows) {
  std::vector<LinkValue> all;
  chunk.rows(node, rows, all);
  std::vector<LinkValue> values;
  for (std::size_t row = 0; row < rows.row_count(0) && !all.empty(); ++row) {
    chunk.row(node, rows.widths[0], row, rows.row(row), values);
    require(std::ranges::equal(values, std::span(all).subspan(rows.first_one(row), values.size())));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const PresenceRows rows = full_rows(data[0], 1 + data[1] % 64);
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
    const KindsChunk chunk = KindsChunk::open(bytes);
    const std::size_t nodes = std::min<std::size_t>(chunk.node_count(), 16);
    for (std::size_t node = 0; node < nodes; ++node) {
      try {
        check_node(chunk, node, rows);
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
