// SPDX-License-Identifier: Apache-2.0

#include "webstrata/capture/remote/remote_name.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(RemoteName, HasOneOfThreeSchemes) {
  EXPECT_TRUE(is_remote("http://a/x"));
  EXPECT_TRUE(is_remote("HTTPS://a/x"));
  EXPECT_TRUE(is_remote("s3://bucket/key"));
  EXPECT_FALSE(is_remote("gs://bucket/key"));
  EXPECT_FALSE(is_remote("http:/a"));
  EXPECT_FALSE(is_remote("folder/http://x"));
  EXPECT_FALSE(is_remote("-"));
  EXPECT_FALSE(is_remote(""));
  EXPECT_EQ(scheme_of("gs://bucket"), "gs");
  EXPECT_EQ(scheme_of("://x"), "");
}

TEST(RemoteName, IsCalledLikeTheLocalFile) {
  EXPECT_EQ(remote_file_name("https://a/b/x.warc.gz"), "x.warc.gz");
  EXPECT_EQ(remote_file_name("https://a/b/x.warc.gz?a=/b#c/d"), "x.warc.gz");
  EXPECT_EQ(remote_file_name("https://a/two%20words%2B.warc"), "two words+.warc");
  EXPECT_EQ(remote_file_name("https://a/b%2Fx.warc"), "x.warc");
  EXPECT_EQ(remote_file_name("s3://bucket/b/x%20y?z#.warc"), "x%20y?z#.warc");
  EXPECT_EQ(remote_file_name("https://a"), "");
  EXPECT_EQ(remote_file_name("https://a/"), "");
}

TEST(RemoteName, IsShownWithoutSecrets) {
  EXPECT_EQ(shown_name("https://user:word@a/x?X-Amz-Signature=1"), "https://a/x?...");
  EXPECT_EQ(shown_name("https://a/x@y"), "https://a/x@y");
  EXPECT_EQ(shown_name("s3://bucket/a?b@c"), "s3://bucket/a?b@c");
  EXPECT_EQ(shown_name("local?x"), "local?x");
}

TEST(RemoteName, OfAnObjectIsBucketAndKey) {
  const ObjectName name = parse_object_name("s3://bucket//a b/../c%20?d");
  EXPECT_EQ(name.bucket, "bucket");
  EXPECT_EQ(name.key, "/a b/../c%20?d");
  EXPECT_EQ(parse_object_name("s3://bucket").key, "");
  EXPECT_THROW(parse_object_name("s3:///key"), Error);
}

// As the S3 API reference has it: "URI encode every byte except the unreserved characters".
TEST(RemoteName, KeysAreEscapedByteByByte) {
  EXPECT_EQ(escaped("a b/c+d%e=f~g_h-i.j", "/"), "a%20b/c%2Bd%25e%3Df~g_h-i.j");
  EXPECT_EQ(escaped("\xc3\xa9", "/"), "%C3%A9");
  EXPECT_EQ(escaped("a/b"), "a%2Fb");
}

}  // namespace
}  // namespace webstrata
