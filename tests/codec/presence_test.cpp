// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/presence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/codec/made_rows.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

PresenceRows decoded(const PresenceChunk& chunk, const std::vector<std::uint32_t>& widths) {
  PresenceRows rows;
  for (std::size_t node = 0; node < chunk.node_count(); ++node) {
    chunk.rows(node, widths[node], rows);
  }
  return rows;
}

void expect_equal(const PresenceRows& a, const PresenceRows& b) {
  EXPECT_EQ(a.widths, b.widths);
  EXPECT_EQ(a.row_ends, b.row_ends);
  EXPECT_EQ(a.one_ends, b.one_ends);
  EXPECT_EQ(a.ones, b.ones);
}

void expect_rows_one_by_one(const PresenceChunk& chunk, const PresenceRows& rows, Random& random) {
  std::vector<std::uint32_t> columns;
  for (std::size_t node = 0; node < rows.node_count(); ++node) {
    ASSERT_EQ(chunk.row_count(node), rows.row_count(node));
    const std::size_t count = rows.row_count(node);
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 40); ++i) {
      const std::size_t row = count <= 40 ? i : random.below(count);
      chunk.row(node, rows.widths[node], row, columns);
      ASSERT_TRUE(std::ranges::equal(columns, rows.row(rows.first_row(node) + row)))
          << "node " << node << " row " << row;
    }
  }
}

void expect_round_trip(const PresenceRows& rows, Random& random) {
  const std::string bytes = encode_presence(rows);
  const auto chunk = PresenceChunk::open(bytes);
  ASSERT_EQ(chunk.node_count(), rows.node_count());
  EXPECT_EQ(chunk.one_count(), rows.ones.size());
  expect_equal(decoded(chunk, rows.widths), rows);
  expect_rows_one_by_one(chunk, rows, random);
  EXPECT_EQ(encode_presence(rows), bytes);
}

TEST(Presence, RandomShapesComeBackWholeAndRowByRow) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    expect_round_trip(made_rows(random, made_shape(random)), random);
    if (HasFailure()) return;
  }
}

TEST(Presence, NothingComesBackAsNothing) {
  Random random(1);
  expect_round_trip({}, random);
  PresenceRows rows;
  rows.add_node(5);  // never captured
  rows.add_row({});  // captured, without links
  rows.add_node(0);
  expect_round_trip(rows, random);
  EXPECT_LE(encode_presence(rows).size(), 8U);
}

TEST(Presence, ASingleRowOfAllOnesIsFree) {
  PresenceRows rows;
  Random random(2);
  for (int node = 0; node < 10'000; ++node) {
    const auto width = static_cast<std::uint32_t>(random.below(100));
    rows.add_row(ones_of(std::vector<bool>(width, true)));
    rows.add_node(width);
  }
  EXPECT_LE(encode_presence(rows).size(), 16U);
  expect_round_trip(rows, random);
}

TEST(Presence, EqualRowsAreNearlyFree) {
  PresenceRows rows;
  for (int node = 0; node < 1000; ++node) {
    for (int row = 0; row < 20; ++row) rows.add_row(ones_of(std::vector<bool>(30, true)));
    rows.add_node(30);
  }
  EXPECT_LE(encode_presence(rows).size(), 300U);  // the number of rows takes two bits a node
}

// A segment of a node that is cut: columns that no row here uses.
TEST(Presence, ColumnsThatAreNeverUsedComeBack) {
  PresenceRows rows;
  for (std::uint32_t row = 0; row < 200; ++row) rows.add_row(std::vector{row * 7, row * 7 + 3});
  rows.add_node(100'000);
  Random random(3);
  expect_round_trip(rows, random);
}

// Sparse rows of a very wide node that all differ: neither side may walk all columns for each row.
TEST(Presence, WideNodesWithManyRowsAreNotQuadratic) {
  PresenceRows rows;
  Random random(4);
  for (int row = 0; row < 30'000; ++row) {
    rows.add_row(std::vector{static_cast<std::uint32_t>(random.below(1 << 21))});
  }
  rows.add_node(1 << 21);
  expect_round_trip(rows, random);
}

TEST(Presence, ManyRowsOfOneNodeAreReadFromTheMiddle) {
  Random random(5);
  PresenceRows rows;
  std::vector<bool> row(8);
  for (int i = 0; i < 100'000; ++i) {
    const auto column = random.below(8);
    row[column] = !row[column];
    rows.add_row(ones_of(row));
  }
  rows.add_node(8);
  expect_round_trip(rows, random);
}

TEST(Presence, OneHugeRowComesBack) {
  PresenceRows rows;
  std::vector<bool> bits(6'000'000, true);
  bits[77] = false;
  rows.add_row(ones_of(bits));
  rows.add_node(6'000'000);
  Random random(6);
  expect_round_trip(rows, random);
  rows.add_row({});
  rows.add_node(0);
  EXPECT_THROW(encode_presence(rows), Error);  // only alone
}

// The bytes are part of the format: this hash may change only with the encoder revision.
TEST(Presence, BytesStayAsTheyAre) {
  Random random(7);
  const RowShape shape{.nodes = 500, .width_max = 100, .rows_max = 100};
  const std::string bytes = encode_presence(made_rows(random, shape));
  EXPECT_EQ(checksum64(bytes), 15434285282175872453U) << bytes.size();
}

TEST(Presence, ARowThatIsNotThereIsRefused) {
  PresenceRows rows;
  rows.add_row(std::vector<std::uint32_t>{0});
  rows.add_node(1);
  rows.add_node(1);
  const std::string bytes = encode_presence(rows);
  const auto chunk = PresenceChunk::open(bytes);
  std::vector<std::uint32_t> columns;
  EXPECT_THROW(chunk.row(0, 1, 1, columns), Error);
  EXPECT_THROW(chunk.row(1, 1, 0, columns), Error);
  EXPECT_THROW(chunk.row(2, 1, 0, columns), Error);
}

// Reads whatever it is; Error is the only way to fail.
void read_all(std::string_view bytes, std::uint32_t width) {
  try {
    const auto chunk = PresenceChunk::open(bytes);
    PresenceRows rows;
    std::vector<std::uint32_t> columns;
    for (std::size_t node = 0; node < std::min<std::size_t>(chunk.node_count(), 50); ++node) {
      try {
        chunk.rows(node, width, rows);
        if (rows.ones.size() > 1'000'000) return;
        if (chunk.row_count(node) > 0) chunk.row(node, width, chunk.row_count(node) / 2, columns);
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
}

TEST(Presence, DamageIsAnErrorOrAnAnswer) {
  Random random(8);
  const RowShape shape{.nodes = 40, .width_max = 40, .rows_max = 100};
  const std::string bytes = encode_presence(made_rows(random, shape));
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 64) {
    read_all(std::string_view(bytes).substr(0, size), 30);
  }
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = bytes;
    damaged[random.below(bytes.size())] ^= static_cast<char>(1 << random.below(8));
    read_all(damaged, static_cast<std::uint32_t>(random.below(60)));
  }
}

}  // namespace
}  // namespace webstrata
