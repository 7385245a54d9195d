// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/wire/origin.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Origin, IsSchemeHostAndPort) {
  EXPECT_EQ(origin_of_text("http://a.example/x?y"), "http://a.example");
  EXPECT_EQ(origin_of_text("http://a.example:80/x"), "http://a.example");
  EXPECT_EQ(origin_of_text("https://a.example/x"), "https://a.example");
  EXPECT_EQ(origin_of_text("http://A.example:8080"), "http://a.example:8080");
  EXPECT_EQ(origin_of_text("http://[::1]:8080/"), "http://[::1]:8080");
  EXPECT_EQ(origin_of_text("nothing"), "");
}

TEST(Origin, HasAHost) {
  EXPECT_EQ(host_of_origin("http://a.example"), "a.example");
  EXPECT_EQ(host_of_origin("https://a.example:8443"), "a.example");
  EXPECT_EQ(host_of_origin("http://[2001:db8::1]"), "[2001:db8::1]");
  EXPECT_EQ(host_of_origin("http://[2001:db8::1]:81"), "[2001:db8::1]");
  EXPECT_EQ(host_of_origin("a.example"), "a.example");
  EXPECT_EQ(host_of_origin("[::1]"), "[::1]");
}

}  // namespace
}  // namespace webstrata
