// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

using Keys = std::set<std::string>;

KeyList list_of(const Keys& keys) {
  KeyList list;
  for (const std::string& key : keys) list.add(key);
  return list;
}

// `key` itself and its neighbours in the order, present or not.
std::vector<std::string> around(const std::string& key) {
  std::vector<std::string> probes = {key, key + '\0', key + '\xff', key.substr(0, key.size() / 2)};
  if (key.empty()) return probes;
  std::string other = key;
  other.back() = static_cast<char>(other.back() + 1);
  probes.push_back(other);
  other.back() = static_cast<char>(other.back() - 2);
  probes.push_back(other);
  probes.push_back(key.substr(0, key.size() - 1));
  other = key;
  other[key.size() / 2] = static_cast<char>(other[key.size() / 2] + 1);
  probes.push_back(other);
  return probes;
}

void expect_found_where_it_is(const NamesChunk& names, const std::vector<std::string>& sorted,
                              const std::string& probe) {
  const auto expected = std::lower_bound(sorted.begin(), sorted.end(), probe);
  bool found = false;
  const std::size_t position = names.lower_bound(probe, found);
  ASSERT_EQ(position, static_cast<std::size_t>(expected - sorted.begin())) << probe;
  ASSERT_EQ(found, expected != sorted.end() && *expected == probe) << probe;
}

// Everything the header promises; every `stride`-th key is probed.
void expect_names_back(const Keys& keys, std::size_t stride = 1) {
  const KeyList list = list_of(keys);
  const std::vector<std::string> sorted(keys.begin(), keys.end());
  const std::string bytes = encode_names(list);
  ASSERT_EQ(bytes, encode_names(list));
  const NamesChunk names = NamesChunk::open(bytes);
  ASSERT_EQ(names.size(), keys.size());
  KeyList decoded;
  names.decode(decoded);
  ASSERT_EQ(decoded.ends, list.ends);
  ASSERT_TRUE(decoded.bytes == list.bytes);
  std::string key = "rubbish";
  for (std::size_t i = 0; i < sorted.size(); i += stride) {
    names.key(i, key);
    ASSERT_TRUE(key == sorted[i]) << i;
    for (const std::string& probe : around(key)) expect_found_where_it_is(names, sorted, probe);
  }
  for (const std::string& probe : {std::string(), std::string("\0", 1), std::string(9, '\xff')}) {
    expect_found_where_it_is(names, sorted, probe);
  }
}

std::string random_text(Random& random, std::size_t size_max, int alphabet, int first) {
  std::string text(random.below(size_max + 1), ' ');
  for (char& byte : text) {
    byte = static_cast<char>(static_cast<std::uint64_t>(first) +
                             random.below(static_cast<std::uint64_t>(alphabet)));
  }
  return text;
}

// Keys as an archive has them: hosts, folders, files, query strings, a scheme byte.
Keys site_keys(Random& random, std::size_t count) {
  Keys keys;
  const std::vector<std::string> words = {"index", "news",  "archive", "2004", "lists", "debian",
                                          "doc",   "about", "user",    "img",  "page"};
  const auto word = [&] { return words[random.below(words.size())]; };
  while (keys.size() < count) {
    std::string key = "org,example," + word() + ")/";
    for (auto depth = random.below(4); depth > 0; --depth) key += word() + '/';
    key += word() + std::to_string(random.below(100000));
    if (random.chance(0.2)) key += "?id=" + std::to_string(random.next());
    keys.insert(key + (random.chance(0.5) ? ".html\x01" : ".html\x02"));
  }
  return keys;
}

TEST(Names, NoKeysAtAll) { expect_names_back({}); }

TEST(Names, OneKey) {
  expect_names_back({"org,example)/\x01"});
  expect_names_back({""});
  expect_names_back({std::string(1, '\0')});
  expect_names_back({std::string(300000, 'x')});
}

TEST(Names, KeysThatAreBeginningsOfOthers) {
  Keys keys;
  for (std::size_t i = 0; i < 700; ++i) keys.insert(std::string(i, 'a'));
  for (std::size_t i = 0; i < 700; ++i) keys.insert(std::string(i, '\0'));
  for (std::size_t i = 0; i < 700; ++i) keys.insert(std::string(i, '\xff'));
  expect_names_back(keys);
}

TEST(Names, EveryByteValue) {
  Keys keys;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; b += 5) keys.insert({static_cast<char>(a), static_cast<char>(b)});
    keys.insert(std::string(1, static_cast<char>(a)));
  }
  expect_names_back(keys, 7);
}

TEST(Names, SharedBeginningsOf60Kilobytes) {
  Random random(3);
  const std::string beginning = random_text(random, 0, 1, 0) + std::string(60000, 'p');
  Keys keys;
  for (int i = 0; i < 130; ++i) keys.insert(beginning + std::to_string(i));
  expect_names_back(keys, 10);
}

TEST(Names, RandomKeysOfManyShapes) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Keys keys;
    const auto count = random.below(1500);
    const std::size_t size_max = 1 + random.below(40);
    const int alphabet = 1 + static_cast<int>(random.below(256));
    const int first = static_cast<int>(random.below(256));
    for (std::uint64_t i = 0; i < count; ++i) {
      keys.insert(random_text(random, size_max, alphabet, first));
    }
    expect_names_back(keys, 13);
  }
}

TEST(Names, AFullChunk) {
  Random random(5);
  expect_names_back(site_keys(random, kChunkKeys), 997);
}

TEST(Names, LeadersOfGroupsAndTheirNeighboursAreFound) {
  Random random(9);
  for (const std::size_t count : {15U, 16U, 17U, 31U, 32U, 33U, 257U}) {
    expect_names_back(site_keys(random, count));
  }
}

// Plain front coding takes 452,666 bytes for these.
TEST(Names, PhrasesTakeLessThanPlainFrontCoding) {
  Random random(6);
  EXPECT_LT(encode_names(list_of(site_keys(random, 20000))).size(), 452666 / 2);
}

TEST(Names, AnOpenedChunkTakesLittleMemory) {
  Random random(6);
  const std::string bytes = encode_names(list_of(site_keys(random, kChunkKeys)));
  EXPECT_LT(NamesChunk::open(bytes).memory_bytes(), 600000U);
}

// The bytes are part of the format: another compiler or machine must write the same.
TEST(Names, TheBytesAreAlwaysTheSame) {
  Random random(10);
  const std::string bytes = encode_names(list_of(site_keys(random, 5000)));
  EXPECT_EQ(bytes.size(), 32309U);
  EXPECT_EQ(checksum64(bytes), 4899899130669041188U);
}

TEST(Names, TooManyKeysAreRefused) {
  KeyList list;
  for (std::uint32_t i = 0; i <= kChunkKeys; ++i) {
    const std::string key = {static_cast<char>(i >> 16), static_cast<char>(i >> 8),
                             static_cast<char>(i)};
    list.add(key);
  }
  EXPECT_THROW((void)encode_names(list), Error);
}

TEST(Names, APositionBehindTheEndIsRefused) {
  const std::string bytes = encode_names(list_of({"a", "b"}));
  std::string key;
  EXPECT_THROW(NamesChunk::open(bytes).key(2, key), Error);
}

// Whatever happens to the bytes: keys, or Error(Corrupt).
void expect_no_crash(const std::string& bytes, Random& random) {
  try {
    const NamesChunk names = NamesChunk::open(bytes);
    bool found = false;
    std::string key;
    for (int i = 0; i < 5 && names.size() > 0; ++i) {
      names.key(random.below(names.size()), key);
      (void)names.lower_bound(key, found);
    }
    (void)names.lower_bound("org,example,news)/", found);
    KeyList out;
    names.decode(out);
    ASSERT_LE(out.bytes.size(), 3 * kChunkKeyBytes);
  } catch (const Error& error) {
    ASSERT_EQ(error.kind(), ErrorKind::Corrupt) << error.what();
  }
}

TEST(Names, TruncatedBytesNeverCrash) {
  Random random(7);
  const std::string bytes = encode_names(list_of(site_keys(random, 300)));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    expect_no_crash(bytes.substr(0, size), random);
  }
}

TEST(Names, FlippedBitsNeverCrash) {
  Random random(8);
  const std::string bytes = encode_names(list_of(site_keys(random, 300)));
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 1 + random.below(5)) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    expect_no_crash(damaged, random);
  }
}

}  // namespace
}  // namespace webstrata
