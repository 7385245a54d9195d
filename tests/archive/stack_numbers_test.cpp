// SPDX-License-Identifier: Apache-2.0

// Sets of keys are cut into strata at random; the reference is the sorted union.

#include "webstrata/archive/read/stack_numbers.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/disk/places.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

using Keys = std::set<std::uint64_t>;

Keys random_keys(Random& random, std::uint64_t count, std::uint64_t below) {
  Keys keys;
  for (std::uint64_t i = 0; i < count; ++i) keys.insert(random.below(below));
  return keys;
}

std::uint64_t rank_of(const Keys& keys, std::uint64_t key) {
  return static_cast<std::uint64_t>(std::distance(keys.begin(), keys.lower_bound(key)));
}

StratumPlaces places_of(const Keys& stratum, const Keys& below) {
  StratumPlaces places;
  for (const std::uint64_t key : stratum) {
    places.keys.push_back({rank_of(below, key), below.contains(key)});
  }
  return places;
}

void expect_numbers(const StratumNumbers& numbers, const Keys& stratum, const Keys& all) {
  ASSERT_EQ(numbers.key_count(), stratum.size());
  std::uint64_t number = 0;
  for (const std::uint64_t key : stratum) {
    ASSERT_EQ(numbers.uid(number), rank_of(all, key));
    ++number;
  }
  EXPECT_EQ(numbers.uid(number), all.size());
  Uid uid = 0;
  for (const std::uint64_t key : all) {
    ASSERT_EQ(numbers.lower_bound(uid), rank_of(stratum, key));
    const auto found = numbers.number(uid);
    ASSERT_EQ(found.has_value(), stratum.contains(key));
    if (found) {
      ASSERT_EQ(*found, rank_of(stratum, key));
    }
    ++uid;
  }
  EXPECT_EQ(numbers.lower_bound(all.size()), stratum.size());
}

// A list of links: some of the numbers, ascending.
void expect_translation(const StratumNumbers& numbers, Random& random) {
  std::vector<Uid> list;
  std::vector<Uid> expected;
  const std::uint64_t gap_max = 1 + random.below(30);
  for (Uid number = 0; number < numbers.key_count(); number += 1 + random.below(gap_max)) {
    list.push_back(number);
    expected.push_back(numbers.uid(number));
  }
  numbers.translate(list);
  EXPECT_EQ(list, expected);
}

TEST(StackNumbers, AreRanksInTheUnionOfAllKeys) {
  for (std::uint64_t seed = 1; seed <= seed_count(80); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const std::uint64_t below = random.chance(0.5) ? 40 : 1500;
    std::vector<Keys> strata = {random_keys(random, random.below(below), below)};
    Keys all = strata.front();
    std::vector<StratumPlaces> places;
    for (std::uint64_t i = random.below(8); i > 0; --i) {
      strata.push_back(random_keys(random, 1 + random.below(below / 4), below));
      places.push_back(places_of(strata.back(), all));
      all.insert(strata.back().begin(), strata.back().end());
    }
    std::vector<const StratumPlaces*> pointers;
    for (StratumPlaces& stratum : places) {
      stratum = decode_places(encode_places(stratum), "places");
      pointers.push_back(&stratum);
    }
    const StackNumbers numbers(strata.front().size(), pointers);
    ASSERT_EQ(numbers.uid_count(), all.size());
    ASSERT_EQ(numbers.size(), strata.size());
    for (std::size_t i = 0; i < strata.size(); ++i) {
      expect_numbers(numbers.stratum(i), strata[i], all);
      expect_translation(numbers.stratum(i), random);
    }
  }
}

TEST(StackNumbers, OfOneStratumAreItsOwn) {
  const StackNumbers numbers(1000, {});
  EXPECT_TRUE(numbers.stratum(0).is_identity());
  EXPECT_EQ(numbers.stratum(0).uid(999), 999U);
  EXPECT_EQ(numbers.stratum(0).number(7), 7U);
  EXPECT_EQ(numbers.uid_count(), 1000U);
}

// Bytes are not trusted: a damaged list may end anywhere.
TEST(StackNumbers, RefuseALinkBeyondTheStratum) {
  const StratumPlaces places = {{{0, true}, {3, false}}, {}};
  const StackNumbers numbers(5, {&places});
  for (const std::size_t stratum : {0, 1}) {
    const StratumNumbers& of = numbers.stratum(stratum);
    std::vector<Uid> list = {0, of.key_count() - 1};
    EXPECT_NO_THROW(of.translate(list));
    list = {0, of.key_count()};
    EXPECT_THROW(of.translate(list), Error);
  }
}

TEST(StackNumbers, RefuseAPlaceBeyondTheKeysBelow) {
  const StratumPlaces places = {{{3, true}}, {}};
  EXPECT_THROW(StackNumbers(3, {&places}), Error);
  EXPECT_NO_THROW(StackNumbers(4, {&places}));
}

TEST(Places, AreReadAsTheyWereWritten) {
  const TemporaryFolder folder;
  const StratumPlaces places = {{{0, false}, {0, true}, {1, false}, {1, false}, {900, true}},
                                {1, 4}};
  const LayerFile file = write_places(folder.path(), places);
  EXPECT_EQ(read_places(folder.path(), file), places);
}

TEST(Places, WithAnyBitFlippedOrCutAreRefused) {
  const TemporaryFolder folder;
  const StratumPlaces places = {{{0, false}, {7, true}, {300, false}}, {2}};
  const LayerFile file = write_places(folder.path(), places);
  const std::string bytes = read_file(folder.path() / file.name);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    write_file(folder.path() / file.name, damaged);
    EXPECT_THROW(read_places(folder.path(), file), Error);
    // Whatever it holds, reading it ends.
    try {
      decode_places(damaged, "places");
    } catch (const Error&) {
    }
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(decode_places(bytes.substr(0, size), "places"), Error);
  }
}

}  // namespace
}  // namespace webstrata
