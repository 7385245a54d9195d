// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/codec/made_rows.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// The node alone, as PresenceChunk::rows gives it.
PresenceRows only(const PresenceRows& rows, std::size_t node) {
  PresenceRows alone;
  for (std::size_t row = rows.first_row(node); row < rows.row_ends[node]; ++row) {
    alone.add_row(rows.row(row));
  }
  alone.add_node(rows.widths[node]);
  return alone;
}

void expect_rows_one_by_one(const KindsChunk& chunk, const PresenceRows& rows,
                            std::span<const LinkValue> values, Random& random) {
  std::vector<LinkValue> found;
  for (std::size_t node = 0; node < rows.node_count(); ++node) {
    const std::size_t count = rows.row_count(node);
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 40); ++i) {
      const std::size_t number = count <= 40 ? i : random.below(count);
      const std::size_t row = rows.first_row(node) + number;
      chunk.row(node, rows.widths[node], number, rows.row(row), found);
      const auto expected = values.subspan(rows.first_one(row), rows.row(row).size());
      ASSERT_TRUE(std::ranges::equal(found, expected)) << "node " << node << " row " << number;
    }
  }
}

void expect_round_trip(const PresenceRows& rows, const std::vector<LinkValue>& values,
                       Random& random) {
  const std::string bytes = encode_kinds(rows, values);
  const auto chunk = KindsChunk::open(bytes);
  ASSERT_EQ(chunk.node_count(), rows.node_count());
  std::vector<LinkValue> found;
  for (std::size_t node = 0; node < rows.node_count(); ++node) {
    chunk.rows(node, only(rows, node), found);
  }
  EXPECT_TRUE(found == values);
  expect_rows_one_by_one(chunk, rows, values, random);
  EXPECT_EQ(encode_kinds(rows, values), bytes);
}

TEST(Kinds, RandomShapesComeBackWholeAndRowByRow) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const PresenceRows rows = made_rows(random, made_shape(random));
    const double change = random.chance(0.3) ? random.unit() : random.unit() * 0.02;
    const auto kinds = static_cast<std::uint32_t>(1 + random.below(random.chance(0.2) ? 256 : 4));
    expect_round_trip(rows, made_values(random, rows, change, kinds), random);
    if (HasFailure()) return;
  }
}

TEST(Kinds, NothingComesBackAsNothing) {
  Random random(1);
  expect_round_trip({}, {}, random);
  PresenceRows rows;
  rows.add_node(5);
  rows.add_row({});
  rows.add_node(3);
  expect_round_trip(rows, {}, random);
}

TEST(Kinds, EqualValuesAreFree) {
  PresenceRows rows;
  for (int node = 0; node < 1000; ++node) {
    for (int row = 0; row < 20; ++row) rows.add_row(ones_of(std::vector<bool>(30, true)));
    rows.add_node(30);
  }
  const std::vector<LinkValue> values(rows.ones.size(), LinkValue{1, 1});
  EXPECT_LE(encode_kinds(rows, values).size(), 32U);
  Random random(2);
  expect_round_trip(rows, values, random);
}

// A value that flips in every row makes many units; each is found on its own.
TEST(Kinds, ManyChangesOfOneNodeAreReadFromTheMiddle) {
  PresenceRows rows;
  for (int row = 0; row < 50'000; ++row) rows.add_row(std::vector<std::uint32_t>{0, 5, 9});
  rows.add_node(10);
  Random random(3);
  expect_round_trip(rows, made_values(random, rows, 0.7, 3), random);
}

TEST(Kinds, WideNodesWithManyRowsAreNotQuadratic) {
  PresenceRows rows;
  Random random(4);
  for (int row = 0; row < 50'000; ++row) {
    const auto column = static_cast<std::uint32_t>(random.below(1 << 21));
    rows.add_row(std::vector{column, column + 5, column + 6});
  }
  rows.add_node((1 << 21) + 6);
  expect_round_trip(rows, made_values(random, rows, 0.1, 3), random);
}

// The bytes are part of the format: this hash may change only with the encoder revision.
TEST(Kinds, BytesStayAsTheyAre) {
  Random random(5);
  const RowShape shape{.nodes = 500, .width_max = 100, .rows_max = 100};
  const PresenceRows rows = made_rows(random, shape);
  const std::string bytes = encode_kinds(rows, made_values(random, rows, 0.02, 3));
  EXPECT_EQ(checksum64(bytes), 15790390588353303751U) << bytes.size();
}

void read_all(std::string_view bytes, const PresenceRows& rows) {
  try {
    const auto chunk = KindsChunk::open(bytes);
    std::vector<LinkValue> found;
    for (std::size_t node = 0; node < std::min(chunk.node_count(), rows.node_count()); ++node) {
      const PresenceRows alone = only(rows, node);
      try {
        chunk.rows(node, alone, found);
        if (alone.row_count(0) > 0) {
          chunk.row(node, alone.widths[0], alone.row_count(0) - 1,
                    alone.row(alone.row_count(0) - 1), found);
        }
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
}

TEST(Kinds, DamageIsAnErrorOrAnAnswer) {
  Random random(6);
  const RowShape shape{.nodes = 40, .width_max = 40, .rows_max = 30};
  const PresenceRows rows = made_rows(random, shape);
  const std::string bytes = encode_kinds(rows, made_values(random, rows, 0.05, 3));
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 64) {
    read_all(std::string_view(bytes).substr(0, size), rows);
  }
  for (int i = 0; i < 1000; ++i) {
    std::string damaged = bytes;
    damaged[random.below(bytes.size())] ^= static_cast<char>(1 << random.below(8));
    read_all(damaged, rows);
  }
}

}  // namespace
}  // namespace webstrata
