// SPDX-License-Identifier: Apache-2.0

// Expected values: the Public Suffix List's own published test cases, and its format page.

#include "webstrata/url/host.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Host, AddressesAreToldFromNames) {
  EXPECT_TRUE(is_ip_address("192.0.2.1"));
  EXPECT_TRUE(is_ipv4_address("0.0.0.0"));
  EXPECT_TRUE(is_ip_address("[2001:db8::1]"));
  EXPECT_FALSE(is_ipv4_address("[2001:db8::1]"));
  EXPECT_FALSE(is_ip_address("1.2.3.4a"));
  EXPECT_FALSE(is_ip_address("4a.example.org"));
  EXPECT_FALSE(is_ip_address(""));
}

TEST(Host, TheRegisteredDomainIsOneLabelMoreThanTheSuffix) {
  EXPECT_EQ(registered_domain("example.com"), "example.com");
  EXPECT_EQ(registered_domain("a.b.example.com"), "example.com");
  EXPECT_EQ(registered_domain("www.example.co.uk"), "example.co.uk");
  EXPECT_EQ(registered_domain("a.b.ide.kyoto.jp"), "b.ide.kyoto.jp");
  EXPECT_EQ(registered_domain("www.city.kobe.jp"), "city.kobe.jp") << "an exception rule";
  EXPECT_EQ(registered_domain("a.b.c.kobe.jp"), "b.c.kobe.jp") << "a wildcard rule";
}

TEST(Host, SuffixesAndAddressesHaveNone) {
  for (const char* host : {"com", "co.uk", "c.kobe.jp", "localhost", "192.0.2.1", "[::1]", ""}) {
    EXPECT_EQ(registered_domain(host), "") << host;
  }
}

TEST(Host, UnknownTopLabelsCountAsSuffixes) {
  EXPECT_EQ(registered_domain("a.docs.example"), "docs.example");
}

TEST(Host, ThePrivateSectionIsAChoice) {
  EXPECT_EQ(registered_domain("me.github.io"), "me.github.io");
  EXPECT_EQ(registered_domain("me.github.io", Suffixes::Icann), "github.io");
  EXPECT_EQ(registered_domain("github.io"), "");
  EXPECT_EQ(registered_domain("github.io", Suffixes::Icann), "github.io");
}

TEST(Host, InternationalNamesAreKnownInTheirAsciiForm) {
  EXPECT_EQ(registered_domain("www.xn--85x722f.xn--55qx5d.cn"), "xn--85x722f.xn--55qx5d.cn");
}

TEST(Host, AFinalDotStays) { EXPECT_EQ(registered_domain("www.example.org."), "example.org."); }

TEST(Host, TopLevelsAreKnownFromTheList) {
  EXPECT_TRUE(has_known_top_level("a.org"));
  EXPECT_TRUE(has_known_top_level("a.org."));
  EXPECT_FALSE(has_known_top_level("a.example"));
  EXPECT_FALSE(has_known_top_level("localhost"));
}

}  // namespace
}  // namespace webstrata
