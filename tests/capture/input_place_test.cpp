// SPDX-License-Identifier: Apache-2.0

#include "webstrata/capture/stream/input_place.h"

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

TEST(InputPlace, OfAFileIsItsSize) {
  const TemporaryFolder folder;
  write_file(folder.path() / "x", "12345");
  EXPECT_TRUE(look_at_input(folder.path() / "x").can_be_entered);
  EXPECT_EQ(look_at_input(folder.path() / "x").size, 5U);
  EXPECT_FALSE(look_at_input(folder.path()).can_be_entered);
  EXPECT_FALSE(look_at_input(folder.path() / "missing").can_be_entered);
  EXPECT_FALSE(look_at_input("-").can_be_entered);
}

TEST(InputPlace, NamesFilesAsSightingsDo) {
  EXPECT_EQ(input_file_name("/a/b/x.warc.gz"), "x.warc.gz");
  EXPECT_EQ(input_file_name("x.warc.gz?y"), "x.warc.gz?y");
  EXPECT_EQ(input_file_name("https://a/x.warc.gz?y"), "x.warc.gz");
  EXPECT_EQ(input_file_name("s3://a/b/x.warc.gz"), "x.warc.gz");
}

TEST(InputPlace, RefusesOtherSchemes) {
  EXPECT_THROW(refuse_unknown_scheme("hdfs://a/x"), Error);
  EXPECT_NO_THROW(refuse_unknown_scheme("https://a/x"));
  EXPECT_NO_THROW(refuse_unknown_scheme("a/x:y"));
}

}  // namespace
}  // namespace webstrata
