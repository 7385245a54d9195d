// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/address_test.cpp.

#include "webstrata/fetch/wire/address.h"

#include <cstdint>

#include "webstrata/url/ipv4.h"
#include "webstrata/url/ipv6.h"

namespace webstrata {
namespace {

struct Block4 {
  std::uint32_t first;
  int bits;
  std::string_view use;
};

constexpr std::uint32_t ipv4(unsigned a, unsigned b, unsigned c, unsigned d) {
  return a << 24 | b << 16 | c << 8 | d;
}

constexpr Block4 kBlocks4[] = {
    {ipv4(0, 0, 0, 0), 8, "this network"},
    {ipv4(10, 0, 0, 0), 8, "private"},
    {ipv4(100, 64, 0, 0), 10, "private"},  // carriers; some clouds answer for metadata here
    {ipv4(127, 0, 0, 0), 8, "loopback"},
    {ipv4(168, 63, 129, 16), 32, "metadata"},  // a cloud's own, among public addresses
    {ipv4(169, 254, 0, 0), 16, "link-local"},  // 169.254.169.254: metadata of most clouds
    {ipv4(172, 16, 0, 0), 12, "private"},
    {ipv4(192, 0, 0, 0), 24, "reserved"},
    {ipv4(192, 0, 2, 0), 24, "documentation"},
    {ipv4(192, 168, 0, 0), 16, "private"},
    {ipv4(198, 18, 0, 0), 15, "benchmarking"},
    {ipv4(198, 51, 100, 0), 24, "documentation"},
    {ipv4(203, 0, 113, 0), 24, "documentation"},
    {ipv4(224, 0, 0, 0), 4, "multicast"},
    {ipv4(240, 0, 0, 0), 4, "reserved"},
};

std::string_view use_of(std::uint32_t address) noexcept {
  for (const Block4& block : kBlocks4) {
    if ((address ^ block.first) >> (32 - block.bits) == 0) return block.use;
  }
  return {};
}

std::uint32_t ipv4_at(const Ipv6Address& address, std::size_t piece) noexcept {
  return std::uint32_t{address[piece]} << 16 | address[piece + 1];
}

bool begins_with_zeros(const Ipv6Address& address, std::size_t pieces) noexcept {
  for (std::size_t i = 0; i < pieces; ++i) {
    if (address[i] != 0) return false;
  }
  return true;
}

std::string_view use_of(const Ipv6Address& address) noexcept {
  if (begins_with_zeros(address, 7)) {
    if (address[7] == 0) return "this network";
    if (address[7] == 1) return "loopback";
  }
  if (begins_with_zeros(address, 6)) return use_of(ipv4_at(address, 6));
  if (begins_with_zeros(address, 5) && address[5] == 0xffff) return use_of(ipv4_at(address, 6));
  if (address[0] == 0x64 && address[1] == 0xff9b) {
    return address[2] == 0 ? use_of(ipv4_at(address, 6)) : "private";
  }
  if (address[0] == 0x2002) return use_of(ipv4_at(address, 1));  // 6to4
  if (address[0] == 0x2001 && address[1] == 0) return "tunnel";  // Teredo
  if (address[0] == 0x2001 && address[1] == 0xdb8) return "documentation";
  if ((address[0] & 0xfe00) == 0xfc00) return "private";
  if ((address[0] & 0xffc0) == 0xfe80) return "link-local";
  if ((address[0] & 0xff00) == 0xff00) return "multicast";
  if ((address[0] & 0xe000) != 0x2000) return "reserved";  // public addresses begin with 2 or 3
  return {};
}

}  // namespace

bool is_address(std::string_view text) noexcept {
  return text.find(':') != std::string_view::npos ? parse_ipv6(text).has_value()
                                                  : parse_ipv4(text).has_value();
}

std::string_view special_use(std::string_view address) noexcept {
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  }
  if (address.find(':') != std::string_view::npos) {
    const auto parsed = parse_ipv6(address);
    return parsed ? use_of(*parsed) : "no address";
  }
  const auto parsed = parse_ipv4(address);
  return parsed ? use_of(*parsed) : "no address";
}

}  // namespace webstrata
