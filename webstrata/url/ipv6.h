// SPDX-License-Identifier: Apache-2.0

// IPv6 addresses, in the shortest form that RFC 5952 and the URL standard agree on.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace webstrata {

using Ipv6Address = std::array<std::uint16_t, 8>;

// Without brackets: "2001:db8::1", "::ffff:192.0.2.1". Zones (%eth0) are rejected.
std::optional<Ipv6Address> parse_ipv6(std::string_view text) noexcept;

// Appends "2001:db8::1": no leading zeros, the first longest run of two or more zeros as "::".
void append_ipv6(std::string& out, const Ipv6Address& address);

}  // namespace webstrata
