// SPDX-License-Identifier: Apache-2.0

// The host of a web URL: a name, an IPv4 or an IPv6 address, in its one normal form.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

// Whether `text`, lower-case ASCII without forbidden characters, is a name in its normal form:
// neither an address nor international.
bool is_plain_name(std::string_view text) noexcept;

// Appends the normal form of `text`: "example.org", "192.0.2.1", "[2001:db8::1]".
// False if parsing fails by the standard; `out` then ends in garbage.
bool append_host(std::string& out, std::string_view text);

}  // namespace webstrata
