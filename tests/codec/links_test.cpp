// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/codec/block.h"

namespace webstrata {
namespace {

constexpr Uid kLastUid = std::numeric_limits<Uid>::max();

LinkLists lists_of(Uid first, const std::vector<std::vector<Uid>>& lists) {
  LinkLists made;
  made.clear(first);
  for (const auto& list : lists) made.add(list);
  return made;
}

void expect_same(const LinkLists& found, const LinkLists& expected) {
  EXPECT_EQ(found.first, expected.first);
  ASSERT_EQ(found.ends, expected.ends);
  ASSERT_EQ(found.targets, expected.targets);
}

// All ways to read a chunk give the same lists.
void expect_round_trip(const LinkLists& lists) {
  for (const auto effort : {LinksEffort::Fast, LinksEffort::Compact}) {
    const std::string bytes = encode_links(lists, effort);
    EXPECT_EQ(bytes, encode_links(lists, effort)) << "not the same bytes again";
    const auto chunk = LinksChunk::open(bytes, lists.first);
    ASSERT_EQ(chunk.node_count(), lists.node_count());
    EXPECT_EQ(chunk.link_count(), lists.targets.size());
    LinkLists decoded = lists_of(99, {{1, 2}});
    chunk.decode(decoded);
    expect_same(decoded, lists);
    std::vector<Uid> targets = {7};
    for (std::size_t i = 0; i < lists.node_count(); ++i) {
      const std::size_t node = (i * 7919) % lists.node_count();
      chunk.targets(node, targets);
      ASSERT_TRUE(std::ranges::equal(targets, lists.list(node))) << "node " << node;
      ASSERT_EQ(chunk.degree(node), targets.size());
    }
  }
}

// Lists as a site has them: a menu near the page, copies of an earlier page with changes, runs of
// neighbours, a few far targets; and some pages without links.
struct SiteShape {
  std::size_t node_count = 1000;
  double empty = 0.2;
  double copied = 0.7;   // lists that begin as a copy
  double changed = 0.1;  // of the copied targets
  Uid first = 1'000'000;
  Uid spread = 100'000;  // how far targets lie
  std::size_t fresh_max = 12;
};

LinkLists random_site(Random& random, const SiteShape& shape) {
  std::vector<std::vector<Uid>> lists;
  for (std::size_t node = 0; node < shape.node_count; ++node) {
    std::set<Uid> targets;
    if (random.chance(shape.empty)) {
      lists.emplace_back();
      continue;
    }
    if (node > 0 && random.chance(shape.copied)) {
      const std::size_t back = 1 + random.below(std::min<std::size_t>(node, 70));
      for (const Uid target : lists[node - back]) {
        if (!random.chance(shape.changed)) targets.insert(target);
      }
    }
    const std::size_t fresh = random.below(shape.fresh_max + 1);
    for (std::size_t i = 0; i < fresh; ++i) {
      const Uid far = random.below(shape.spread) >> random.below(16);
      Uid target = random.chance(0.5) ? shape.first + node + far : shape.first + node - far;
      const Uid run = random.chance(0.2) ? random.below(20) : 1;
      for (Uid step = 0; step < run; ++step) targets.insert(target + step);
    }
    lists.emplace_back(targets.begin(), targets.end());
  }
  return lists_of(shape.first, lists);
}

TEST(Links, AChunkWithoutNodesIsAChunk) { expect_round_trip(lists_of(5, {})); }

TEST(Links, NodesWithoutLinksTakeNextToNothing) {
  const auto lists = lists_of(12, std::vector<std::vector<Uid>>(kChunkNodes));
  expect_round_trip(lists);
  EXPECT_LE(encode_links(lists).size(), 8);
}

TEST(Links, ASingleNodeTakesAFewBytes) {
  expect_round_trip(lists_of(0, {{}}));
  expect_round_trip(lists_of(1000, {{1001}}));
  EXPECT_LE(encode_links(lists_of(0, {{}})).size(), 4);
  EXPECT_LE(encode_links(lists_of(1000, {{1001}})).size(), 6);
  EXPECT_LE(encode_links(lists_of(1000, {{900, 1001, 1002, 1003, 1004, 1090}})).size(), 14);
}

TEST(Links, HoldsTheLargestUids) {
  expect_round_trip(lists_of(0, {{0, 1, kLastUid - 1, kLastUid},
                                 {0, 1, kLastUid - 1, kLastUid},
                                 {kLastUid},
                                 {0},
                                 {0, kLastUid}}));
  expect_round_trip(lists_of(kLastUid - 3, {{0, kLastUid}, {}, {0, 7, kLastUid - 1, kLastUid}}));
  std::vector<Uid> high;
  for (Uid i = 300; i-- > 0;) high.push_back(kLastUid - i);
  expect_round_trip(lists_of(17, {high, high, {high[3]}, high}));
}

TEST(Links, HoldsEqualLists) {
  std::vector<Uid> menu = {3, 4, 5, 6, 100, 200, 201, 90000};
  expect_round_trip(lists_of(40, std::vector<std::vector<Uid>>(500, menu)));
}

TEST(Links, HoldsFullRunsAndHubs) {
  std::vector<Uid> run(kChunkItems / 4);
  for (std::size_t i = 0; i < run.size(); ++i) run[i] = 1000 + i;
  std::vector<Uid> odd;
  for (std::size_t i = 0; i < run.size(); i += 2) odd.push_back(run[i]);
  expect_round_trip(lists_of(5000, {run, {}, odd, run, {1, 2, 3}}));
  EXPECT_LE(encode_links(lists_of(5000, {run})).size(), 16);
}

TEST(Links, HoldsAFullChunk) {
  std::vector<Uid> hub(kChunkItems);
  for (std::size_t i = 0; i < hub.size(); ++i) hub[i] = i * 977;
  expect_round_trip(lists_of(1 << 20, {hub}));
}

TEST(Links, HoldsSitesOfManyShapes) {
  constexpr std::uint64_t kSeed = 2024;
  Random random(kSeed);
  for (int round = 0; round < 60; ++round) {
    SiteShape shape;
    shape.node_count = 1 + random.below(round % 10 == 9 ? 6000 : 300);
    shape.empty = random.unit() * (round % 3 == 0 ? 1 : 0.3);
    shape.copied = random.unit();
    shape.changed = random.unit() * random.unit();
    shape.first = random.next() >> random.below(64);
    shape.spread = 1 + (random.next() >> random.below(64));
    shape.fresh_max = 1 + random.below(40);
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " round " << round);
    expect_round_trip(random_site(random, shape));
    if (HasFatalFailure()) return;
  }
}

// Whatever the damage, there is an Error or lists of the promised shape, never a crash.
void read_damaged(std::string_view bytes, Uid first) {
  try {
    const auto chunk = LinksChunk::open(bytes, first);
    LinkLists lists;
    std::vector<Uid> targets;
    for (std::size_t node = 0; node < chunk.node_count(); ++node) {
      try {
        chunk.targets(node, targets);
        EXPECT_TRUE(std::ranges::is_sorted(targets));
        EXPECT_EQ(std::ranges::adjacent_find(targets), targets.end());
        EXPECT_LE(targets.size(), kChunkItems);
        (void)chunk.degree(node);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
      }
    }
    chunk.decode(lists);
    EXPECT_EQ(lists.node_count(), chunk.node_count());
    EXPECT_EQ(lists.targets.size(), chunk.link_count());
    for (std::size_t node = 0; node < lists.node_count(); ++node) {
      EXPECT_TRUE(std::ranges::is_sorted(lists.list(node)));
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  }
}

TEST(Links, TruncatedChunksAreCorrupt) {
  Random random(8);
  const auto lists = random_site(random, {.node_count = 120});
  for (const auto effort : {LinksEffort::Fast, LinksEffort::Compact}) {
    const std::string bytes = encode_links(lists, effort);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::string cut = bytes.substr(0, size);
      read_damaged(cut, lists.first);
      const auto decode = [&] {
        LinkLists decoded;
        LinksChunk::open(cut, lists.first).decode(decoded);
      };
      EXPECT_THROW(decode(), Error) << size;
    }
  }
}

TEST(Links, FlippedBitsNeverCrash) {
  constexpr std::uint64_t kSeed = 9;
  Random random(kSeed);
  for (const std::size_t node_count : {1, 3, 40, 80}) {
    const auto lists = random_site(random, {.node_count = node_count, .copied = 0.9});
    for (const auto effort : {LinksEffort::Fast, LinksEffort::Compact}) {
      const std::string bytes = encode_links(lists, effort);
      const std::size_t step = bytes.size() < 100 ? 1 : 5;
      for (std::size_t bit = 0; bit < bytes.size() * 8; bit += step) {
        std::string damaged = bytes;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
        read_damaged(damaged, lists.first);
      }
    }
  }
}

TEST(Links, NoiseNeverCrashes) {
  constexpr std::uint64_t kSeed = 10;
  Random random(kSeed);
  for (int round = 0; round < 3000; ++round) {
    std::string noise(random.below(80), '\0');
    for (auto& byte : noise) byte = static_cast<char>(random.next() >> random.below(60));
    read_damaged(noise, random.next());
  }
}

TEST(Links, OpenedChunksAreModest) {
  EXPECT_THROW(LinksChunk::open("", 0), Error);
  const std::string bytes = encode_links(lists_of(0, {{1, 2}, {1, 2}}));
  const auto chunk = LinksChunk::open(bytes, 0);
  EXPECT_GT(chunk.memory_bytes(), 0);
  EXPECT_LT(chunk.memory_bytes(), 50'000);
}

// A site written out with integers only, so that it is the same for every compiler.
LinkLists fixed_site() {
  Random random(77);
  std::vector<std::vector<Uid>> lists;
  for (std::size_t node = 0; node < 3000; ++node) {
    std::set<Uid> targets;
    if (node > 0 && random.below(4) != 0) {
      const auto& copied = lists[node - 1 - random.below(std::min<std::size_t>(node, 50))];
      for (const Uid target : copied) {
        if (random.below(12) != 0) targets.insert(target);
      }
    }
    for (std::uint64_t fresh = random.below(9); fresh > 0; --fresh) {
      const Uid target = 5'000'000 + node + (random.next() >> (30 + random.below(30)));
      for (Uid step = random.below(10) == 0 ? random.below(30) : 0; step != ~Uid{0}; --step) {
        targets.insert(target + step);
      }
    }
    if (random.below(5) == 0) targets.clear();
    lists.emplace_back(targets.begin(), targets.end());
  }
  return lists_of(5'000'000, lists);
}

// The law: the same lists are the same bytes on every machine, compiler and optimisation level.
// A change of the encoder changes these numbers and the encoder revision.
TEST(Links, TheBytesOfAFixedSiteStayAsTheyAre) {
  const auto lists = fixed_site();
  const std::string fast = encode_links(lists, LinksEffort::Fast);
  const std::string compact = encode_links(lists, LinksEffort::Compact);
  EXPECT_LT(compact.size(), fast.size());
  EXPECT_EQ(checksum64(fast), 9376361886694831167U) << fast.size();
  EXPECT_EQ(checksum64(compact), 6602875259999236294U) << compact.size();
}

}  // namespace
}  // namespace webstrata
