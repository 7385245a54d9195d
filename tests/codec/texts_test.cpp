// SPDX-License-Identifier: Apache-2.0

#include "webstrata/codec/texts.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

struct Item {
  std::int64_t link = 0;
  std::string text;
  std::int64_t first = 0;
  std::int64_t end = 0;
};

LayerRow row_of_items(const std::vector<Item>& items) {
  LayerRow row;
  if (!items.empty()) row.resize(4);
  for (const Item& item : items) {
    row[0].numbers.push_back(item.link);
    row[1].texts.push_back(item.text);
    row[2].numbers.push_back(item.first);
    row[3].numbers.push_back(item.end);
  }
  return row;
}

// Menus that pages share, links of their own in between, texts that change.
std::vector<LayerRow> random_nodes(Random& random, std::size_t count) {
  std::vector<LayerRow> nodes;
  for (std::size_t node = 0; node < count; ++node) {
    std::vector<Item> items;
    const std::uint64_t links = random.chance(0.3) ? 0 : random.below(12);
    for (std::uint64_t link = 0; link < links; ++link) {
      if (random.chance(0.1)) continue;
      const auto position = static_cast<std::int64_t>(link);
      const std::string menu = "menu " + std::to_string(link);
      if (random.chance(0.7)) {
        items.push_back({position, menu});
      } else if (random.chance(0.5)) {
        const auto change = static_cast<std::int64_t>(1 + random.below(40));
        items.push_back({position, menu, 0, change});
        items.push_back({position, "later", change, random.chance(0.5) ? 0 : change + 2});
      } else {
        items.push_back({position, std::to_string(random.below(30)), 0, 0});
        if (random.chance(0.3)) items.push_back({position, "z", 0, 3});
      }
    }
    nodes.push_back(row_of_items(items));
  }
  return nodes;
}

TEST(Texts, ComeBack) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto nodes = random_nodes(random, 1 + random.below(60));
    EXPECT_EQ(decode_texts(encode_texts(nodes)), nodes);
  }
}

TEST(Texts, OfNodesWithoutAnyTakeTwoBytes) {
  const std::vector<LayerRow> nodes(100);
  const std::string bytes = encode_texts(nodes);
  EXPECT_EQ(bytes, std::string("\x64\x00", 2));
  EXPECT_EQ(decode_texts(bytes), nodes);
}

TEST(Texts, OfAnyBytesComeBack) {
  std::vector<Item> items;
  for (int byte = 0; byte < 256; ++byte) {
    items.push_back({byte, std::string(1 + byte % 3, static_cast<char>(byte))});
  }
  const std::vector<LayerRow> nodes = {row_of_items(items), {}, row_of_items(items)};
  EXPECT_EQ(decode_texts(encode_texts(nodes)), nodes);
}

// More than a list of recent texts holds, and more than one part of the dictionary.
TEST(Texts, OfALargeNodeComeBack) {
  std::vector<Item> items;
  for (int i = 0; i < 70'000; ++i)
    items.push_back({i, "text " + std::to_string(i * 7919 % 66'000)});
  const std::vector<LayerRow> nodes = {row_of_items(items)};
  EXPECT_EQ(decode_texts(encode_texts(nodes)), nodes);
}

// A menu of fifty links on a thousand pages costs little more than on one.
TEST(Texts, ThatPagesShareAreSmall) {
  std::vector<Item> menu;
  for (int i = 0; i < 50; ++i) menu.push_back({i, "entry " + std::to_string(i * i)});
  const std::vector<LayerRow> one = {row_of_items(menu)};
  const std::vector<LayerRow> many(1000, one[0]);
  EXPECT_LT(encode_texts(many).size(), encode_texts(one).size() + 700);
}

TEST(Texts, DamageIsNoticedOrHarmless) {
  Random random(5);
  const auto nodes = random_nodes(random, 40);
  const std::string whole = encode_texts(nodes);
  const auto try_it = [](const std::string& bytes) {
    try {
      static_cast<void>(decode_texts(bytes));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    }
  };
  for (std::size_t size = 0; size < whole.size(); ++size) try_it(whole.substr(0, size));
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    try_it(flipped);
  }
}

}  // namespace
}  // namespace webstrata
