// SPDX-License-Identifier: Apache-2.0
#include "webstrata/words/amounts.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/kinds.h"
#include "webstrata/words/scope_word.h"

namespace webstrata {
namespace {

TEST(Words, AmountsOfMemoryCountBy1024) {
  EXPECT_EQ(parse_bytes_word("--memory", "77"), 77U);
  EXPECT_EQ(parse_bytes_word("--memory", "2K"), 2048U);
  EXPECT_EQ(parse_bytes_word("--memory", "128M"), std::size_t{134217728});
  EXPECT_EQ(parse_bytes_word("--memory", "4g"), std::size_t{4294967296});
  EXPECT_EQ(parse_bytes_word("--memory", "4GB"), std::size_t{4294967296});
  for (const char* word :
       {"", "M", "lots", "-1", "1.5G", "4X", "4Gb/s", "99999999999999999999", "99999999999T"}) {
    EXPECT_THROW(parse_bytes_word("--memory", word), Error) << word;
  }
}

TEST(Words, ScopesAreTwo) {
  EXPECT_EQ(parse_scope_word("--scope", "captured"), Scope::Captured);
  EXPECT_EQ(parse_scope_word("--scope", "all"), Scope::All);
  for (const char* word : {"", "some", "Captured"}) {
    EXPECT_THROW(parse_scope_word("--scope", word), Error) << word;
  }
}

TEST(Words, DatesAreIntervals) {
  const auto june = parse_interval("2015-06").value();
  EXPECT_EQ(parse_date_word("--at", "2015-06"), june);
  EXPECT_EQ(parse_dates_word("--during", "2015-06"), june);
  const TimeInterval longer = parse_dates_word("--during", "2015..2016-06");
  EXPECT_EQ(longer.first, parse_interval("2015")->first);
  EXPECT_EQ(longer.last, parse_interval("2016-06")->last);
  EXPECT_EQ(parse_dates_word("--during", "..2015").first, kEver.first);
  EXPECT_EQ(parse_dates_word("--during", "2015..").last, kEver.last);
  for (const char* word : {"", "soon", "2016..2015", "2015...2016", "2015-13"}) {
    EXPECT_THROW(parse_dates_word("--during", word), Error) << word;
  }
}

TEST(Words, KindsHaveTwoShortNames) {
  EXPECT_EQ(parse_kinds_word("--links", "graph"), kGraphKinds);
  EXPECT_EQ(parse_kinds_word("--links", "all"), kAllKinds);
  EXPECT_EQ(parse_kinds_word("--links", "navigation,embed"),
            LinkKind::Navigation | LinkKind::Embed);
  EXPECT_THROW(parse_kinds_word("--links", "up"), Error);
}

}  // namespace
}  // namespace webstrata
