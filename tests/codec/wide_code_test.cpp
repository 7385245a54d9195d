// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/wide_code.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

// By hand: lengths 1, 2, 3, 3 have the codes 0, 10, 110, 111, here with the first bit lowest.
TEST(WideCode, CodesOfTheTextbook) {
  const std::vector<std::uint8_t> lengths = {2, 1, 3, 0, 3};
  const std::vector<std::uint16_t> codes = {0b01, 0b0, 0b011, 0, 0b111};
  EXPECT_EQ(wide_codes(lengths), codes);
  const std::vector<std::uint16_t> table = {1, 0, 1, 2, 1, 0, 1, 4};
  EXPECT_EQ(wide_code_table(lengths, 3), table);
}

TEST(WideCode, TheTableFindsEveryCode) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<std::uint64_t> counts(2 + random.below(6000));
    for (auto& count : counts) count = random.below(4) * (random.next() >> (20 + random.below(44)));
    const auto lengths = wide_code_lengths(counts, 14);
    const auto codes = wide_codes(lengths);
    const auto table = wide_code_table(lengths, 14);
    for (std::size_t symbol = 0; symbol < counts.size(); ++symbol) {
      ASSERT_EQ(lengths[symbol] != 0, counts[symbol] != 0 || symbol < 2);
      if (lengths[symbol] == 0) continue;
      const std::uint64_t bits = codes[symbol] | random.next() << lengths[symbol];
      ASSERT_EQ(table[bits % table.size()], symbol);
    }
  }
}

TEST(WideCode, CodesThatAreNotCompleteAreRefused) {
  const std::vector<std::vector<std::uint8_t>> bad = {{},     {0, 0},    {1},
                                                      {1, 2}, {1, 1, 1}, {1, 2, 3, 4}};
  for (const auto& lengths : bad) EXPECT_THROW(wide_code_table(lengths, 3), Error);
}

}  // namespace
}  // namespace webstrata
