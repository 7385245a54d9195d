// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/unit_index.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/codec/column_set.h"

namespace webstrata {
namespace {

UnitLayout made_layout(Random& random) {
  UnitLayout layout;
  const std::uint64_t length_max = std::uint64_t{1} << random.below(9);
  const double empty = random.unit();
  const double several = random.chance(0.5) ? 0.1 : 0;
  layout.can_skip = random.chance(0.8);
  layout.end = random.below(100);
  for (std::size_t left = random.below(500); left > 0; --left) {
    std::uint32_t units = random.chance(empty) ? 0 : 1;
    if (units > 0 && random.chance(several)) units += static_cast<std::uint32_t>(random.below(9));
    layout.units.push_back(units);
    for (; units > 0; --units) {
      layout.positions.push_back(layout.end);
      layout.end += random.below(length_max);
    }
  }
  return layout;
}

// A unit begins at the given mark, or the given number of units after it.
TEST(UnitIndex, EveryUnitIsFound) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const UnitLayout layout = made_layout(random);
    const std::string bytes = encode_unit_index(layout);
    ByteReader reader(bytes, "test");
    const UnitIndex index = UnitIndex::open(reader, "test");
    EXPECT_TRUE(reader.at_end());
    ASSERT_EQ(index.node_count(), layout.units.size());
    std::uint32_t holders = 0;
    std::size_t unit = 0;
    for (std::size_t node = 0; node < layout.units.size(); ++node) {
      const auto holder = index.holder(node);
      ASSERT_EQ(holder.has_value(), layout.units[node] > 0);
      if (!holder) continue;
      ASSERT_EQ(*holder, holders++);
      ASSERT_EQ(index.unit_count(*holder), layout.units[node]);
      for (std::uint32_t i = 0; i < layout.units[node]; ++i, ++unit) {
        const UnitIndex::Place place = index.place(*holder, i);
        ASSERT_LE(place.skip, layout.can_skip ? 15U : 0U);
        ASSERT_EQ(place.bit, layout.positions[unit - place.skip]);
      }
    }
    EXPECT_EQ(index.holder_count(), holders);
  }
}

TEST(UnitIndex, ANodeThatIsNotThereIsRefused) {
  const std::string bytes = encode_unit_index({.units = {1}, .positions = {0}});
  ByteReader reader(bytes, "test");
  const UnitIndex index = UnitIndex::open(reader, "test");
  EXPECT_THROW((void)index.holder(1), Error);
}

TEST(UnitIndex, TruncationIsAnError) {
  Random random(1);
  const std::string bytes = encode_unit_index(made_layout(random));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteReader reader(std::string_view(bytes).substr(0, size), "test");
    EXPECT_THROW(UnitIndex::open(reader, "test"), Error);
  }
}

TEST(ColumnSet, FindsMembersAndTheirPositions) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto width = static_cast<std::uint32_t>(random.below(1U << random.below(16)) + 1);
    const double density = random.unit() * random.unit();
    ColumnSet set;
    set.reset(width, false);
    std::vector<std::uint32_t> members;
    for (std::uint32_t column = 0; column < width; ++column) {
      if (!random.chance(density)) continue;
      set.insert(column);
      members.push_back(column);
    }
    std::vector<std::uint32_t> found;
    set.append_to(found);
    ASSERT_EQ(found, members);
    ColumnSet::Cursor finder(set);
    ColumnSet::Cursor counter(set);
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      if (random.chance(0.5)) continue;
      ASSERT_EQ(finder.member(i), members[i]);
      ASSERT_EQ(counter.position(members[i]), i);
    }
  }
}

TEST(ColumnSet, RangesAreTheirColumns) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const auto width = static_cast<std::uint32_t>(random.below(300) + 1);
    const auto first = static_cast<std::uint32_t>(random.below(width));
    const auto count = static_cast<std::uint32_t>(random.below(width - first + 1));
    ColumnSet holed;
    ColumnSet range;
    holed.reset(width, true);
    range.reset(width, false);
    holed.erase_range(first, count);
    range.insert_range(first, count);
    EXPECT_EQ(holed.size(), width - count);
    EXPECT_EQ(range.size(), count);
    for (std::uint32_t column = 0; column < width; ++column) {
      const bool is_inside = column >= first && column < first + count;
      ASSERT_EQ(range.has(column), is_inside);
      ASSERT_EQ(holed.has(column), !is_inside);
    }
  }
}

}  // namespace
}  // namespace webstrata
