// SPDX-License-Identifier: Apache-2.0
#include "webstrata/base/sort_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

bool is_before(const KeyEntry& a, const KeyEntry& b) {
  return std::tie(a.key, a.tag) < std::tie(b.key, b.tag);
}

void expect_sorted_like_std(const std::vector<std::string>& keys, Random& random) {
  std::vector<KeyEntry> entries;
  for (const std::string& key : keys) entries.push_back({key, random.below(4)});
  std::vector<KeyEntry> expected = entries;
  std::sort(expected.begin(), expected.end(), is_before);
  sort_keys(entries);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(entries[i].key, expected[i].key) << i;
    ASSERT_EQ(entries[i].tag, expected[i].tag) << i;
  }
}

TEST(SortKeys, NoneAndOne) {
  Random random(1);
  expect_sorted_like_std({}, random);
  expect_sorted_like_std({"a"}, random);
  expect_sorted_like_std({""}, random);
}

TEST(SortKeys, KeysEndingInZerosComeAfterTheirBeginnings) {
  Random random(1);
  std::vector<std::string> keys;
  for (std::size_t i = 40; i-- > 0;) {
    keys.emplace_back(i, '\0');
    keys.emplace_back(i, '\xff');
    keys.push_back("12345678" + std::string(i, '\0'));
  }
  expect_sorted_like_std(keys, random);
}

TEST(SortKeys, RandomKeysOfManyShapes) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<std::string> keys(random.below(600));
    const auto alphabet = 1 + random.below(256);
    const auto size_max = 1 + random.below(60);
    const std::string beginning(random.below(30), 'b');
    for (std::string& key : keys) {
      key = random.chance(0.5) ? beginning : "";
      for (auto size = random.below(size_max); size > 0; --size) {
        key += static_cast<char>(random.below(alphabet));
      }
    }
    expect_sorted_like_std(keys, random);
  }
}

TEST(SortKeys, SortedReversedAndEqualInputs) {
  Random random(2);
  std::vector<std::string> keys;
  for (int i = 10000; i < 60000; ++i) keys.push_back("org,example)/page" + std::to_string(i));
  expect_sorted_like_std(keys, random);
  std::reverse(keys.begin(), keys.end());
  expect_sorted_like_std(keys, random);
  expect_sorted_like_std(std::vector<std::string>(50000, "org,example)/the/same/key"), random);
}

// Pivots are taken from fixed places; here these always have the smallest bytes.
TEST(SortKeys, InputsMadeForBadPivots) {
  Random random(4);
  std::vector<std::string> keys;
  for (int i = 0; i < 20000; ++i) {
    const int number = i % 2 == 0 ? i : 40000 - i;
    keys.push_back("12345678" + std::to_string(100000 + number));
  }
  expect_sorted_like_std(keys, random);
  for (int i = 0; i < 20000; ++i) keys[i] = std::string(static_cast<std::size_t>(i % 97), '\x01');
  expect_sorted_like_std(keys, random);
}

// Long shared beginnings must not cost stack.
TEST(SortKeys, BeginningsOfAMegabyte) {
  Random random(3);
  const std::string beginning(1 << 20, 'x');
  std::vector<std::string> keys;
  for (int i = 0; i < 40; ++i) keys.push_back(beginning + std::to_string(random.below(20)));
  expect_sorted_like_std(keys, random);
}

}  // namespace
}  // namespace webstrata
