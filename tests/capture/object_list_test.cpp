// SPDX-License-Identifier: Apache-2.0

#include "webstrata/capture/remote/object_list.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

// The form of the example in the S3 API reference.
TEST(ObjectList, ReadsAPage) {
  const ObjectPage page = parse_object_page(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult>"
      "<Name>bucket</Name><Prefix>a/</Prefix><KeyCount>3</KeyCount><MaxKeys>3</MaxKeys>"
      "<EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>"
      "<NextContinuationToken>1ueG&amp;cXC==</NextContinuationToken>"
      "<Contents><Key>a/</Key><Size>0</Size></Contents>"
      "<Contents><Key>a/two+words%2B%C3%A9.warc.gz</Key><Size>5</Size></Contents>"
      "<Contents><Key>a/x%25.warc.gz</Key><Size>5</Size></Contents></ListBucketResult>");
  EXPECT_EQ(page.keys, (std::vector<std::string>{"a/two words+\xc3\xa9.warc.gz", "a/x%.warc.gz"}));
  EXPECT_EQ(page.next, "1ueG&cXC==");
}

TEST(ObjectList, TakesKeysAsTheyAreFromServersThatDoNotEscape) {
  const ObjectPage page = parse_object_page(
      "<ListBucketResult><IsTruncated>false</IsTruncated><NextContinuationToken>x"
      "</NextContinuationToken><Contents><Key>a+b%20&lt;&amp;amp;</Key></Contents>"
      "</ListBucketResult>");
  EXPECT_EQ(page.keys, (std::vector<std::string>{"a+b%20<&amp;"}));
  EXPECT_EQ(page.next, "");
}

TEST(ObjectList, OfRubbishIsEmpty) {
  EXPECT_TRUE(parse_object_page("").keys.empty());
  EXPECT_TRUE(parse_object_page("<Contents><Key>a").keys.empty());
}

TEST(ObjectList, LeavesOtherNames) {
  const std::vector<std::string> names = {"a/", "s3://bucket/x", "https://host/folder/", "-"};
  EXPECT_EQ(with_objects_listed(names), names);
}

}  // namespace
}  // namespace webstrata
