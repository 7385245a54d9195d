// SPDX-License-Identifier: Apache-2.0

// Which addresses belong to the public internet. Requests go nowhere else unless the user allows
// it: a page, a redirect or a name server could otherwise lead them into the machine's own network.

#pragma once

#include <string_view>

namespace webstrata {

// Whether it is "192.0.2.1" or "2001:db8::1", without brackets.
bool is_address(std::string_view text) noexcept;

// What an address is for if it is not a public one: "loopback", "private", "link-local",
// "metadata", … (RFC 6890 and the registries that go with it). Empty for a public address. IPv6
// forms that carry an IPv4 address count as that one. `address` is "192.0.2.1" or "2001:db8::1",
// with or without brackets; what is no address is "no address".
std::string_view special_use(std::string_view address) noexcept;

}  // namespace webstrata
