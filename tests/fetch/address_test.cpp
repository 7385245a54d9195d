// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/wire/address.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Address, PublicOnesHaveNoSpecialUse) {
  for (const char* address :
       {"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255",
        "172.32.0.0", "192.167.255.255", "223.255.255.255", "168.63.129.17", "2606:4700::1111",
        "[2a00:1450:4001:80e::200e]", "2002:0101:0101::1", "64:ff9b::1.1.1.1"}) {
    EXPECT_EQ(special_use(address), "") << address;
  }
}

// The ends of every block of the IANA registries of special-purpose addresses.
TEST(Address, SpecialOnesAreNamed) {
  const std::pair<const char*, const char*> known[] = {
      {"0.0.0.0", "this network"},
      {"10.0.0.0", "private"},
      {"10.255.255.255", "private"},
      {"100.64.0.0", "private"},
      {"100.127.255.255", "private"},
      {"127.0.0.1", "loopback"},
      {"127.255.255.255", "loopback"},
      {"169.254.169.254", "link-local"},
      {"172.16.0.0", "private"},
      {"172.31.255.255", "private"},
      {"192.168.255.255", "private"},
      {"192.0.2.7", "documentation"},
      {"198.19.255.255", "benchmarking"},
      {"224.0.0.1", "multicast"},
      {"255.255.255.255", "reserved"},
      {"168.63.129.16", "metadata"},
      {"::", "this network"},
      {"::1", "loopback"},
      {"[::1]", "loopback"},
      {"fe80::1", "link-local"},
      {"fd00:ec2::254", "private"},
      {"ff02::1", "multicast"},
      {"2001:db8::1", "documentation"},
      {"2001::1", "tunnel"},
      {"4000::1", "reserved"},
  };
  for (const auto& [address, use] : known) EXPECT_EQ(special_use(address), use) << address;
}

TEST(Address, AnIpv4AddressInsideAnIpv6OneCounts) {
  for (const char* address :
       {"::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"}) {
    EXPECT_EQ(special_use(address), "loopback") << address;
  }
}

TEST(Address, OtherTextIsNone) {
  EXPECT_TRUE(is_address("192.0.2.1"));
  EXPECT_TRUE(is_address("2001:db8::1"));
  for (const char* text : {"localhost", "", "fe80::1%eth0", "192.0.2.256", "[::1]"}) {
    EXPECT_FALSE(is_address(text)) << text;
  }
  EXPECT_EQ(special_use("localhost"), "no address");
  EXPECT_EQ(special_use(""), "no address");
  EXPECT_EQ(special_use("fe80::1%eth0"), "no address");
}

}  // namespace
}  // namespace webstrata
