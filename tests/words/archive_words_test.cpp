// SPDX-License-Identifier: Apache-2.0
#include "webstrata/words/archive_words.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(ArchiveWords, SayWhatTheOptionsAre) {
  const ArchiveOptions options = archive_options_of({"1d", "all", "64bit", "all", true}, {});
  EXPECT_EQ(options.range_seconds, 86400);
  EXPECT_EQ(options.kinds, kAllKinds);
  EXPECT_EQ(options.digests, DigestMode::Bits64);
  EXPECT_TRUE(options.keep_other_schemes);
  EXPECT_EQ(options.effort, LinksEffort::Compact);
  EXPECT_EQ(archive_options_of(words_of(options), {}), options);
  EXPECT_EQ(archive_options_of(words_of({}), {}), ArchiveOptions{});
}

TEST(ArchiveWords, WhatIsNotSaidStays) {
  const ArchiveOptions options = archive_options_of({"1d", "all", "none", "all", true}, {});
  EXPECT_EQ(archive_options_of({}, options), options);
}

TEST(ArchiveWords, OtherWordsAreRefused) {
  EXPECT_THROW(archive_options_of({.range = "soon"}, {}), Error);
  EXPECT_THROW(archive_options_of({.links = "some"}, {}), Error);
  EXPECT_THROW(archive_options_of({.digests = "md5"}, {}), Error);
  EXPECT_THROW(archive_options_of({.schemes = "ftp"}, {}), Error);
}

}  // namespace
}  // namespace webstrata
