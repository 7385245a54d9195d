// SPDX-License-Identifier: Apache-2.0

#include "webstrata/capture/remote/remote_trouble.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

WireHead head_of(long status) { return {status, {}}; }

std::string s3_error(const std::string& code) {
  return "<?xml version=\"1.0\"?>\n<Error><Code>" + code +
         "</Code><Message>Words.</Message></Error>";
}

bool has(const Trouble& trouble, std::string_view words) {
  return trouble.reason.find(words) != std::string::npos;
}

TEST(RemoteTrouble, SaysWhatToDoWhenAccessIsDenied) {
  S3Settings s3;
  const Trouble anonymous = trouble_of_answer(head_of(403), s3_error("AccessDenied"), &s3);
  EXPECT_TRUE(has(anonymous, "AccessDenied: Words.")) << anonymous.reason;
  EXPECT_TRUE(has(anonymous, "AWS_ACCESS_KEY_ID")) << anonymous.reason;
  EXPECT_FALSE(anonymous.may_pass);
  s3.credentials = {"key", "secret", ""};
  EXPECT_TRUE(has(trouble_of_answer(head_of(403), s3_error("SignatureDoesNotMatch"), &s3),
                  "AWS_SECRET_ACCESS_KEY"));
  EXPECT_TRUE(
      has(trouble_of_answer(head_of(403), s3_error("InvalidAccessKeyId"), &s3), "does not know"));
  EXPECT_TRUE(
      has(trouble_of_answer(head_of(403), s3_error("AccessDenied"), &s3), "AWS_NO_SIGN_REQUEST"));
}

TEST(RemoteTrouble, TellsObjectsFromBuckets) {
  const S3Settings s3;
  const Trouble object = trouble_of_answer(head_of(404), s3_error("NoSuchKey"), &s3);
  EXPECT_EQ(object.reason, "no such object");
  EXPECT_EQ(object.kind, ErrorKind::NotFound);
  EXPECT_EQ(trouble_of_answer(head_of(404), s3_error("NoSuchBucket"), &s3).reason,
            "no such bucket");
  WireHead moved = head_of(301);
  moved.fields["x-amz-bucket-region"] = "eu-west-1";
  EXPECT_TRUE(
      has(trouble_of_answer(moved, s3_error("PermanentRedirect"), &s3), "AWS_REGION=eu-west-1"));
}

TEST(RemoteTrouble, PassesWhereServersAreBusy) {
  for (const long status : {429L, 500L, 502L, 503L, 504L}) {
    EXPECT_TRUE(trouble_of_answer(head_of(status), "", nullptr).may_pass) << status;
  }
  EXPECT_FALSE(trouble_of_answer(head_of(400), "", nullptr).may_pass);
  EXPECT_FALSE(trouble_of_answer(head_of(501), "", nullptr).may_pass);
  WireHead busy = head_of(503);
  busy.fields["retry-after"] = "2";
  EXPECT_EQ(trouble_of_answer(busy, "", nullptr).wait_ms, 2000U);
  busy.fields["retry-after"] = "99999999999";
  EXPECT_EQ(trouble_of_answer(busy, "", nullptr).wait_ms, 30'000U);
  busy.fields["retry-after"] = "Mon, 01 Jun 2015 10:00:00 GMT";
  EXPECT_EQ(trouble_of_answer(busy, "", nullptr).wait_ms, 0U);
}

TEST(RemoteTrouble, ShowsNoControlCharacters) {
  const S3Settings s3;
  EXPECT_EQ(trouble_of_answer(head_of(400), s3_error("\x1b[31m"), &s3).reason.find('\x1b'),
            std::string::npos);
}

TEST(RemoteTrouble, FindsElements) {
  EXPECT_EQ(element_of("<a><b>x</b></a>", "b"), "x");
  EXPECT_EQ(element_of("<a><b>x</a>", "b"), "");
  EXPECT_EQ(element_of("", "b"), "");
}

}  // namespace
}  // namespace webstrata
