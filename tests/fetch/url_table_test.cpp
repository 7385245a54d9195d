// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/ledger/url_table.h"

#include <gtest/gtest.h>

#include <string>

namespace webstrata {
namespace {

TEST(UrlTable, FindsWhatWasAddedAndNothingElse) {
  UrlTable table(99);
  const auto name = [](unsigned i) { return "http://a.example/" + std::to_string(i); };
  for (unsigned i = 0; i < 10'000; ++i) EXPECT_TRUE(table.add(name(i), i));
  EXPECT_FALSE(table.add(name(17), 99'999));
  EXPECT_EQ(table.size(), 10'000U);
  for (unsigned i = 0; i < 10'000; ++i) EXPECT_EQ(table.find(name(i)), i);
  for (unsigned i = 10'000; i < 20'000; ++i) EXPECT_FALSE(table.find(name(i)));
}

}  // namespace
}  // namespace webstrata
