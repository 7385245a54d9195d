// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/sightings.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

struct Chunk {
  SightingLists lists;
  TimeLists rows;
};

// Sometimes an ordinary number, sometimes an extreme one.
std::uint64_t random_number(Random& random) {
  switch (random.below(6)) {
    case 0:
      return 0;
    case 1:
      return ~std::uint64_t{0};
    case 2:
      return std::uint64_t{1} << random.below(64);
    case 3:
      return random.next();
    default:
      return random.below(5);
  }
}

std::string random_text(Random& random, std::string_view letters, std::size_t size) {
  std::string text;
  for (; size > 0; --size) text.push_back(letters[random.below(letters.size())]);
  return text;
}

std::string random_digest(Random& random) {
  constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (random.below(8)) {
    case 0:
      return {};
    case 1:
      return "sha1:" + random_text(random, kBase32, 32);
    case 2:
      return "sha1:" + random_text(random, kHex, 40);
    case 3:
      return "sha256:" + random_text(random, kBase32, 52);  // the last letter may be wrong
    case 4:
      return "md5:" + random_text(random, "0123456789ABCDEF", 32);
    case 5:
      return random_text(random, std::string_view("\0\xff:=a", 5), random.below(300));
    case 6:
      return "sha1:" + random_text(random, "AB", 3);
    default:
      return std::string("md5:0") + static_cast<char>('0' + random.below(4));
  }
}

template <typename Value>
void maybe(Random& random, std::optional<Value>& field) {
  if (random.chance(0.4)) field = static_cast<Value>(random_number(random));
}

SightingRecord random_record(Random& random) {
  SightingRecord record;
  record.time = static_cast<Time>(random_number(random));
  record.kind = static_cast<std::uint8_t>(random_number(random));
  record.outcome = static_cast<std::uint8_t>(random.below(7));
  record.revisit_profile = static_cast<std::uint8_t>(random.below(3));
  record.has_links = random.chance(0.5);
  record.truncated = random.chance(0.1);
  maybe(random, record.status);
  maybe(random, record.text_length);
  maybe(random, record.title_hash);
  maybe(random, record.offset);
  maybe(random, record.length);
  maybe(random, record.refers_to_time);
  maybe(random, record.redirect);
  maybe(random, record.refers_to);
  record.digest = random_digest(random);
  record.text_digest = random_digest(random);
  if (random.chance(0.5)) record.mime = random.chance(0.8) ? "text/html" : "application/pdf";
  if (random.chance(0.2)) {
    record.spelling = "http://EXAMPLE.org/" + random_text(random, "ab", random.below(4));
  }
  if (random.chance(0.6)) record.file = "crawl-" + random_text(random, "01", 2) + ".warc.gz";
  if (random.chance(0.4)) record.crawl = random_text(random, "xyz", 1);
  return record;
}

// Some records repeat fields of the one before, as real ones do.
SightingRecord random_successor(Random& random, const SightingRecord& before) {
  SightingRecord record = random_record(random);
  if (random.chance(0.5)) record.digest = before.digest;
  if (random.chance(0.5)) record.text_digest = before.text_digest;
  if (random.chance(0.5)) record.length = before.length;
  if (random.chance(0.5)) record.redirect = before.redirect;
  if (random.chance(0.5)) record.spelling = before.spelling;
  if (random.chance(0.3)) record.title_hash = before.title_hash;
  if (random.chance(0.3)) record.time = before.time;
  if (random.chance(0.3)) record.refers_to_time = before.time;
  return record;
}

Chunk random_chunk(Random& random) {
  Chunk chunk;
  chunk.lists.first = random_number(random) >> 1;
  std::vector<SightingRecord> records;
  for (std::uint64_t nodes = random.below(12); nodes > 0; --nodes) {
    records.clear();
    const bool is_empty = random.chance(0.4);
    for (std::uint64_t count = is_empty ? 0 : random.below(9); count > 0; --count) {
      records.push_back(records.empty() ? random_record(random)
                                        : random_successor(random, records.back()));
    }
    std::sort(records.begin(), records.end());
    std::vector<Time> rows;
    for (const SightingRecord& record : records) {
      if (random.chance(record.has_links ? 0.9 : 0.2)) rows.push_back(record.time);
    }
    if (random.chance(0.3)) rows.push_back(static_cast<Time>(random_number(random)));
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    chunk.rows.add(rows);
    chunk.lists.records.insert(chunk.lists.records.end(), records.begin(), records.end());
    chunk.lists.ends.push_back(static_cast<std::uint32_t>(chunk.lists.records.size()));
  }
  return chunk;
}

void expect_outcomes(const std::vector<SightingOutcome>& outcomes,
                     const std::vector<SightingRecord>& expected) {
  ASSERT_EQ(outcomes.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(outcomes[i].time, expected[i].time);
    EXPECT_EQ(outcomes[i].kind, expected[i].kind);
    EXPECT_EQ(outcomes[i].outcome, expected[i].outcome);
    EXPECT_EQ(outcomes[i].has_links, expected[i].has_links);
    EXPECT_EQ(outcomes[i].redirect, expected[i].redirect);
  }
}

void expect_sightings_back(const Chunk& chunk) {
  const std::string bytes = encode_sightings(chunk.lists, chunk.rows);
  const SightingsChunk opened = SightingsChunk::open(bytes, chunk.lists.first);
  ASSERT_EQ(opened.node_count(), chunk.lists.node_count());
  ASSERT_EQ(opened.sighting_count(), chunk.lists.records.size());
  std::vector<SightingRecord> out;
  // Backwards, so that nothing depends on what was read before.
  for (std::size_t node = chunk.lists.node_count(); node-- > 0;) {
    const auto start = static_cast<std::ptrdiff_t>(node == 0 ? 0 : chunk.lists.ends[node - 1]);
    const auto end = static_cast<std::ptrdiff_t>(chunk.lists.ends[node]);
    const std::vector<SightingRecord> expected(chunk.lists.records.begin() + start,
                                               chunk.lists.records.begin() + end);
    ASSERT_EQ(opened.count(node), expected.size());
    opened.sightings(node, chunk.rows.list(node), out);
    ASSERT_EQ(out, expected) << "node " << node;
    std::vector<SightingOutcome> outcomes;
    opened.outcomes(node, chunk.rows.list(node), outcomes);
    expect_outcomes(outcomes, expected);
  }
}

TEST(Sightings, GoRoundWhateverTheyHold) {
  constexpr std::uint64_t kSeed = 11;
  Random random(kSeed);
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " round " << round);
    expect_sightings_back(random_chunk(random));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Sightings, AnEmptyChunkGoesRound) {
  expect_sightings_back({});
  Chunk chunk;
  chunk.lists.ends.assign(1000, 0);
  chunk.rows.ends.assign(1000, 0);
  expect_sightings_back(chunk);
  EXPECT_LT(encode_sightings(chunk.lists, chunk.rows).size(), 32U);
}

TEST(Sightings, TheWholeRangeOfTimeGoesRound) {
  Chunk chunk;
  using Limits = std::numeric_limits<Time>;
  for (const Time time : {Limits::min(), Time{-1}, Time{0}, Limits::max()}) {
    chunk.lists.records.push_back({});
    chunk.lists.records.back().time = time;
    chunk.lists.records.back().refers_to_time = ~time;
  }
  chunk.lists.ends = {4};
  chunk.rows.ends = {0};
  expect_sightings_back(chunk);
}

// A page that is captured again and again, unchanged or changed.
Chunk captures_of_pages(std::size_t pages, std::size_t captures, bool with_digest, bool changing) {
  constexpr std::uint64_t kSeed = 12;
  Random random(kSeed);
  Chunk chunk;
  for (std::size_t page = 0; page < pages; ++page) {
    std::vector<Time> times;
    SightingRecord record;
    record.status = 200;
    record.outcome = 1;
    record.has_links = true;
    record.mime = "text/html";
    for (std::size_t i = 0; i < captures; ++i) {
      record.time = static_cast<Time>(i * 86400 + page);
      times.push_back(record.time);
      if (with_digest && (i == 0 || changing)) {
        record.digest = "sha1:" + random_text(random, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32);
      }
      chunk.lists.records.push_back(record);
    }
    chunk.rows.add(times);
    chunk.lists.ends.push_back(static_cast<std::uint32_t>(chunk.lists.records.size()));
  }
  return chunk;
}

TEST(Sightings, ACaptureAtTheNextRowIsNearlyFree) {
  const Chunk chunk = captures_of_pages(100, 100, false, false);
  expect_sightings_back(chunk);
  EXPECT_LE(encode_sightings(chunk.lists, chunk.rows).size() * 8, 10000U);  // a bit each
}

TEST(Sightings, ADigestEqualToThePreviousOneCostsAtMostABit) {
  const Chunk without = captures_of_pages(100, 100, false, false);
  const Chunk same = captures_of_pages(100, 100, true, false);
  expect_sightings_back(same);
  const std::size_t bytes_without = encode_sightings(without.lists, without.rows).size();
  const std::size_t bytes_same = encode_sightings(same.lists, same.rows).size();
  EXPECT_LE((bytes_same - bytes_without - 100 * 20) * 8, 9900U);
}

TEST(Sightings, ANewDigestCostsItsBytes) {
  const Chunk without = captures_of_pages(100, 100, false, false);
  const Chunk changing = captures_of_pages(100, 100, true, true);
  expect_sightings_back(changing);
  const std::size_t bytes_without = encode_sightings(without.lists, without.rows).size();
  const std::size_t bytes_changing = encode_sightings(changing.lists, changing.rows).size();
  EXPECT_LE(bytes_changing - bytes_without, 10000 * 20 + 1000U);
}

TEST(Sightings, TheLargestChunkGoesRoundAndALargerOneIsRefused) {
  Chunk chunk = captures_of_pages(16, 4096, false, false);
  ASSERT_EQ(chunk.lists.records.size(), kChunkSightings);
  expect_sightings_back(chunk);
  chunk.lists.records.push_back({});
  chunk.lists.ends.push_back(kChunkSightings + 1);
  chunk.rows.add({});
  EXPECT_THROW(encode_sightings(chunk.lists, chunk.rows), Error);
}

// A reader goes on where it was, whether the nodes before were passed, half read or read.
TEST(Sightings, AReaderGivesWhatTheChunkGivesInAnyOrder) {
  constexpr std::uint64_t kSeed = 15;
  Random random(kSeed);
  for (int round = 0; round < 1000; ++round) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " round " << round);
    const Chunk chunk = random_chunk(random);
    if (chunk.lists.node_count() == 0) continue;
    const std::string bytes = encode_sightings(chunk.lists, chunk.rows);
    const SightingsChunk opened = SightingsChunk::open(bytes, chunk.lists.first);
    SightingsReader reader(opened);
    std::size_t node = 0;
    for (int step = 0; step < 30; ++step) {
      std::vector<SightingRecord> expected;
      opened.sightings(node, chunk.rows.list(node), expected);
      if (random.chance(0.5)) {
        std::vector<SightingRecord> records;
        reader.sightings(node, chunk.rows.list(node), records);
        ASSERT_EQ(records, expected) << "node " << node;
      } else {
        std::vector<SightingOutcome> outcomes;
        reader.outcomes(node, chunk.rows.list(node), outcomes);
        expect_outcomes(outcomes, expected);
      }
      node = random.chance(0.2) ? random.below(chunk.lists.node_count())
                                : (node + 1 + random.below(3)) % chunk.lists.node_count();
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Sightings, AReaderReadsOnAfterAnError) {
  const Chunk chunk = captures_of_pages(3, 3, false, false);
  const std::string bytes = encode_sightings(chunk.lists, chunk.rows);
  const SightingsChunk opened = SightingsChunk::open(bytes, 0);
  SightingsReader reader(opened);
  std::vector<SightingRecord> out;
  std::vector<SightingRecord> expected;
  for (const std::size_t node : {1, 2}) {
    EXPECT_THROW(reader.sightings(node, chunk.rows.list(node).first(2), out), Error);
    reader.sightings(node, chunk.rows.list(node), out);
    opened.sightings(node, chunk.rows.list(node), expected);
    EXPECT_EQ(out, expected);
  }
  EXPECT_THROW(reader.sightings(3, {}, out), Error);
}

// Reads everything; true if nothing was wrong.
bool reads(std::string_view bytes, const Chunk& chunk) {
  try {
    const SightingsChunk opened = SightingsChunk::open(bytes, chunk.lists.first);
    std::vector<SightingRecord> out;
    for (std::size_t node = 0; node < opened.node_count(); ++node) {
      const bool known = node < chunk.rows.node_count();
      opened.sightings(node, known ? chunk.rows.list(node) : std::span<const Time>(), out);
    }
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    return false;
  }
}

TEST(Sightings, DamageIsAnErrorOrOtherDataButNeverACrash) {
  constexpr std::uint64_t kSeed = 13;
  Random random(kSeed);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " round " << round);
    const Chunk chunk = random_chunk(random);
    const std::string bytes = encode_sightings(chunk.lists, chunk.rows);
    ASSERT_TRUE(reads(bytes, chunk));
    for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 64) {
      const std::string cut(bytes, 0, size);
      reads(cut, chunk);
    }
    for (int flip = 0; flip < 200; ++flip) {
      std::string damaged = bytes;
      damaged[random.below(bytes.size())] ^= static_cast<char>(1 << random.below(8));
      reads(damaged, chunk);
    }
  }
}

// The bytes of an archive depend on its facts alone: not on the compiler, its options, the machine.
TEST(Sightings, BytesAreTheSameEverywhere) {
  constexpr std::uint64_t kSeed = 14;
  Random random(kSeed);
  std::string all;
  for (int round = 0; round < 100; ++round) {
    const Chunk chunk = random_chunk(random);
    all += encode_sightings(chunk.lists, chunk.rows);
  }
  EXPECT_EQ(checksum64(all), 13374772007522417330U) << "a new value needs a new encoder revision";
}

TEST(Sightings, OtherRowsThanBeforeAreNoticed) {
  const Chunk chunk = captures_of_pages(1, 3, false, false);
  const std::string bytes = encode_sightings(chunk.lists, chunk.rows);
  const SightingsChunk opened = SightingsChunk::open(bytes, 0);
  std::vector<SightingRecord> out;
  EXPECT_THROW(opened.sightings(0, chunk.rows.list(0).first(2), out), Error);
  EXPECT_THROW(static_cast<void>(opened.count(1)), Error);
}

}  // namespace
}  // namespace webstrata
