// SPDX-License-Identifier: Apache-2.0
#include "webstrata/archive/gather/translation.h"

#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

std::filesystem::path spill_path() {
  return std::filesystem::temp_directory_path() /
         ("webstrata-translation-" + std::to_string(::getpid()));
}

TEST(Translation, GivesBackWhatWasAddedFromMemoryAndFromDisk) {
  constexpr std::uint64_t kSeed = 7;
  for (const std::size_t memory : {std::size_t{1} << 30, std::size_t{1} << 12}) {
    Random random(kSeed);
    Translation translation(spill_path(), memory);
    std::vector<Uid> expected;
    Uid uid = 0;
    for (int i = 0; i < 500000; ++i) {
      if (random.chance(0.01)) {
        translation.add_dropped();
        expected.push_back(~Uid{0});
        continue;
      }
      uid += 1 + (random.chance(0.001) ? random.below(std::uint64_t{1} << 50) : random.below(4));
      translation.add(uid);
      expected.push_back(uid);
    }
    translation.finish();
    ASSERT_EQ(translation.size(), expected.size());
    EXPECT_FALSE(translation.is_identity());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(translation.is_dropped(i), expected[i] == ~Uid{0}) << i;
      if (expected[i] == ~Uid{0}) continue;
      ASSERT_EQ(translation[i], expected[i]) << i << " seed " << kSeed;
    }
    std::filesystem::remove(spill_path());
  }
}

TEST(Translation, KnowsTheIdentity) {
  Translation same(spill_path(), 1 << 20);
  for (Uid uid = 0; uid < 1000; ++uid) same.add(uid);
  same.finish();
  EXPECT_TRUE(same.is_identity());
  EXPECT_EQ(same[999], 999U);
  Translation shifted(spill_path(), 1 << 20);
  for (Uid uid = 0; uid < 1000; ++uid) shifted.add(uid + (uid > 500 ? 1 : 0));
  shifted.finish();
  EXPECT_FALSE(shifted.is_identity());
  EXPECT_EQ(shifted[501], 502U);
}

}  // namespace
}  // namespace webstrata
