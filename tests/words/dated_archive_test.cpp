// SPDX-License-Identifier: Apache-2.0

#include "webstrata/words/dated_archive.h"

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/words/dates.h"

namespace webstrata {
namespace {

constexpr Time kEndOf2021 = 1640995199;  // date -u -d '2021-12-31 23:59:59' +%s
constexpr Time kBegin2021 = 1609459200;

TEST(ArchiveWord, ATimeMayFollow) {
  const DatedArchive plain = parse_archive_word("lib.ws");
  EXPECT_EQ(plain.path, "lib.ws");
  EXPECT_EQ(plain.interval(), kEver);
  const DatedArchive at = parse_archive_word("a/lib.ws@2021");
  EXPECT_EQ(at.path, "a/lib.ws");
  EXPECT_EQ(at.date, "2021");
  EXPECT_EQ(at.at, kEndOf2021);
  EXPECT_EQ(at.interval(), (TimeInterval{kEver.first, kEndOf2021}));
  const DatedArchive during = parse_archive_word("lib.ws@2021..2021");
  EXPECT_EQ(during.interval(), (TimeInterval{kBegin2021, kEndOf2021}));
  EXPECT_FALSE(during.at);
}

TEST(ArchiveWord, AnAtInAFolderAboveIsPartOfItsName) {
  EXPECT_EQ(parse_archive_word("me@home/lib.ws").path, "me@home/lib.ws");
  EXPECT_EQ(undated_archive("me@home/lib.ws", "why"), "me@home/lib.ws");
}

TEST(ArchiveWord, AFolderOfThatNameIsMeantAsItIs) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "lib.ws@2021";
  std::filesystem::create_directory(path);
  EXPECT_EQ(parse_archive_word(path.string()).path, path);
  EXPECT_EQ(undated_archive(path.string(), "why"), path);
}

TEST(ArchiveWord, WhatFollowsMustBeATime) {
  EXPECT_THROW(parse_archive_word("lib.ws@soon"), Error);
  EXPECT_THROW(parse_archive_word("lib.ws@2022..2021"), Error);
}

TEST(ArchiveWord, SomeCommandsTakeNoTime) {
  try {
    undated_archive("lib.ws@2021", "verify checks all of an archive");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "lib.ws@2021: verify checks all of an archive; remove @2021");
  }
}

}  // namespace
}  // namespace webstrata
