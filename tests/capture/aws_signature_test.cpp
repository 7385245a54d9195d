// SPDX-License-Identifier: Apache-2.0

#include "webstrata/capture/remote/aws_signature.h"

#include <gtest/gtest.h>

#include "webstrata/base/time.h"

namespace webstrata {
namespace {

// The example keys of Amazon's documents.
const AwsCredentials kExample = {"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", ""};

// "get-vanilla" of Amazon's test suite for Signature Version 4.
TEST(AwsSignature, SignsTheSimplestRequestOfTheSuite) {
  const auto headers = sign_request({.host = "example.amazonaws.com",
                                     .path = "/",
                                     .query = "",
                                     .region = "us-east-1",
                                     .service = "service",
                                     .signs_content = false},
                                    kExample, *parse_time("20150830123600"));
  ASSERT_EQ(headers.size(), 2U);
  EXPECT_EQ(headers[0],
            "Authorization: AWS4-HMAC-SHA256 "
            "Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,"
            "SignedHeaders=host;x-amz-date,"
            "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
  EXPECT_EQ(headers[1], "x-amz-date: 20150830T123600Z");
}

// "get-vanilla-query-order-key-case" of the same suite.
TEST(AwsSignature, SignsAQuery) {
  const auto headers = sign_request({.host = "example.amazonaws.com",
                                     .path = "/",
                                     .query = "Param1=value1&Param2=value2",
                                     .region = "us-east-1",
                                     .service = "service",
                                     .signs_content = false},
                                    kExample, *parse_time("20150830123600"));
  EXPECT_NE(headers[0].find("b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
            std::string::npos)
      << headers[0];
}

// Tokens of temporary credentials are signed, too. tests/capture/s3_test.py compares real requests
// with what botocore signs.
TEST(AwsSignature, SignsTheTokenAndTheContent) {
  AwsCredentials temporary = kExample;
  temporary.session_token = "token";
  const auto headers =
      sign_request({.host = "b.s3.amazonaws.com", .path = "/k", .query = "", .region = "eu-west-1"},
                   temporary, *parse_time("20150830123600"));
  ASSERT_EQ(headers.size(), 4U);
  EXPECT_NE(
      headers[0].find(
          "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,Signature="),
      std::string::npos);
  EXPECT_EQ(headers[1],
            "x-amz-content-sha256: "
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(headers[3], "x-amz-security-token: token");
}

}  // namespace
}  // namespace webstrata
