// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/names.h"

#include <gtest/gtest.h>

#include <set>

#include "webstrata/base/random.h"
#include "webstrata/url/dialect.h"

namespace webstrata {
namespace {

std::string random_name(Random& random) {
  std::string name;
  for (std::uint64_t i = random.below(12); i > 0; --i) {
    name.push_back(
        static_cast<char>(random.chance(0.9) ? 'a' + random.below(2) : random.below(256)));
  }
  return name;
}

TEST(NameList, GivesBackAndFindsWhatWasAddedInOrder) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::set<std::string> expected;
    for (std::uint64_t i = random.below(300); i > 0; --i) expected.insert(random_name(random));
    NameList names;
    for (const auto& name : expected) names.add(name);
    ASSERT_EQ(names.size(), expected.size());
    Node node = 0;
    for (const auto& name : expected) {
      ASSERT_EQ(names.name(node), name);
      ASSERT_EQ(names.find(name), node);
      ++node;
    }
    for (int i = 0; i < 100; ++i) {
      const std::string name = random_name(random);
      ASSERT_EQ(names.find(name).has_value(), expected.contains(name));
    }
  }
}

TEST(NameList, FindsInAnyOrderToo) {
  NameList names;
  for (int i = 50; i > 0; --i) names.add(std::to_string(i));
  for (int i = 50; i > 0; --i) EXPECT_EQ(names.find(std::to_string(i)), 50 - i);
  EXPECT_EQ(names.find("0"), std::nullopt);
}

TEST(KeyNames, ShowUrlsAndFindTheirSpellings) {
  NameList keys;
  keys.add(fold(Dialect::Exact, "http://example.org/a"));
  keys.add(fold(Dialect::Exact, "https://www.example.org:8443/?q"));
  const KeyNames names(std::move(keys));
  EXPECT_EQ(names.name(0), "http://example.org/a");
  EXPECT_EQ(names.name(1), "https://www.example.org:8443/?q");
  EXPECT_EQ(names.find("HTTPS://WWW.example.org:8443?q"), 1U);
  EXPECT_EQ(names.find("http://example.org/b"), std::nullopt);
  EXPECT_EQ(names.find("nothing"), std::nullopt);
}

}  // namespace
}  // namespace webstrata
