// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/uid_set.h"

#include <gtest/gtest.h>

#include <set>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

TEST(UidSet, CountsAsAPlainSetDoes) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const std::uint64_t uid_count = random.below(3000);
    const double density = random.unit();
    UidSet set(uid_count);
    std::set<Uid> expected;
    for (Uid uid = 0; uid < uid_count; ++uid) {
      if (!random.chance(density)) continue;
      set.insert(uid);
      expected.insert(uid);
    }
    set.seal();
    ASSERT_EQ(set.size(), expected.size());
    Node node = 0;
    for (const Uid uid : expected) {
      ASSERT_EQ(set.node(uid), node);
      ASSERT_EQ(set.uid(node), uid);
      ++node;
    }
    for (Uid uid = 0; uid < uid_count + 70; ++uid) {
      ASSERT_EQ(set.contains(uid), expected.contains(uid));
      ASSERT_EQ(set.node(uid).has_value(), expected.contains(uid));
    }
  }
}

TEST(UidSet, AllUidsAreTheirOwnNodes) {
  for (const std::uint64_t count : {0U, 1U, 63U, 64U, 65U, 512U, 1000U}) {
    const UidSet set = UidSet::all(count);
    ASSERT_EQ(set.size(), count);
    for (Uid uid = 0; uid < count; ++uid) {
      ASSERT_EQ(set.node(uid), uid);
      ASSERT_EQ(set.uid(static_cast<Node>(uid)), uid);
    }
    EXPECT_FALSE(set.contains(count));
  }
}

}  // namespace
}  // namespace webstrata
