// SPDX-License-Identifier: Apache-2.0

// Expected values: the URL standard's IPv4 and IPv6 parsers by hand, and RFC 5952.

#include <gtest/gtest.h>

#include <string>

#include "webstrata/url/host_parser.h"
#include "webstrata/url/ipv4.h"
#include "webstrata/url/ipv6.h"

namespace webstrata {
namespace {

std::string host(std::string_view text) {
  std::string out;
  return append_host(out, text) ? out : "-";
}

TEST(Ipv4, ShortOctalAndHexadecimalFormsAreOneAddress) {
  for (const char* text : {"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f.1", "0X7F000001",
                           "0177.0.0.01", "017700000001", "127.0.0.1.", "0x7F.0.0x0.1"}) {
    EXPECT_EQ(host(text), "127.0.0.1") << text;
  }
}

TEST(Ipv4, AHostThatEndsInANumberIsAnAddressOrNothing) {
  for (const char* text :
       {"256.1.1.1", "1.256.1.1", "1.1.1.256", "4294967296", "1.16777216", "1.2.3.4.5", "a.1",
        "1..2", "08", "1.09", "a.0x1", ".1", "0xfffffffff"}) {
    EXPECT_EQ(host(text), "-") << text;
  }
}

TEST(Ipv4, NamesThatOnlyResembleNumbersStayNames) {
  for (const char* text : {"1.2.3.4a", "0xg", "1e3", "1.a", "0x1.0xz", "1.2.3.4.."}) {
    EXPECT_EQ(host(text), text) << text;
  }
}

TEST(Ipv4, EmptyHexadecimalIsZero) {
  EXPECT_EQ(host("0x"), "0.0.0.0");
  EXPECT_EQ(host("1.0x"), "1.0.0.0");
}

TEST(Ipv6, IsCompressedAtTheFirstLongestRunOfZeros) {
  EXPECT_EQ(host("[0:0:0:0:0:0:0:0]"), "[::]");
  EXPECT_EQ(host("[0:0:0:0:0:0:0:1]"), "[::1]");
  EXPECT_EQ(host("[1:0:0:0:0:0:0:0]"), "[1::]");
  EXPECT_EQ(host("[2001:DB8:0:0:1:0:0:1]"), "[2001:db8::1:0:0:1]");
  EXPECT_EQ(host("[1:0:0:2:0:0:0:3]"), "[1:0:0:2::3]");
  EXPECT_EQ(host("[0:1:0:1:0:1:0:1]"), "[0:1:0:1:0:1:0:1]");
  EXPECT_EQ(host("[00ab::000f]"), "[ab::f]");
  EXPECT_EQ(host("[1:2:3:4:5:6:7::]"), "[1:2:3:4:5:6:7:0]");
  EXPECT_EQ(host("[::2:3:4:5:6:7:8]"), "[0:2:3:4:5:6:7:8]");
}

TEST(Ipv6, TheLastTwoPiecesMayBeWrittenAsIpv4) {
  EXPECT_EQ(host("[::ffff:192.0.2.1]"), "[::ffff:c000:201]");
  EXPECT_EQ(host("[1:2:3:4:5:6:1.2.3.4]"), "[1:2:3:4:5:6:102:304]");
  for (const char* text :
       {"[::1.2.3]", "[::1.2.3.4.5]", "[::01.2.3.4]", "[::1.2.3.256]", "[1.2.3.4]",
        "[1:2:3:4:5:6:7:1.2.3.4]", "[::1.2.3.4:5]", "[::.1.2.3]", "[::1.2.3.]"}) {
    EXPECT_EQ(host(text), "-") << text;
  }
}

TEST(Ipv6, MalformedAddressesAreRefused) {
  for (const char* text : {"[", "[]", "[:]", "[:::]", "[1]", "[1::2::3]", "[1:2:3:4:5:6:7]",
                           "[1:2:3:4:5:6:7:8:9]", "[::1:2:3:4:5:6:7:8]", "[12345::]", "[g::]",
                           "[1:]", "[:1]", "[1::2:]", "[::1", "[::1]a", "[::1%25eth0]"}) {
    EXPECT_EQ(host(text), "-") << text;
  }
}

}  // namespace
}  // namespace webstrata
