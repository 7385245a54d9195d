// SPDX-License-Identifier: Apache-2.0

// IPv4 addresses as browsers read them: decimal, octal (010), hexadecimal (0x8), one to four parts.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace webstrata {

// Whether the last label of `host` is a number, so that the host must be an address or nothing.
bool ends_in_a_number(std::string_view host) noexcept;

// "0x7f.1" is 127.0.0.1. Empty if it is not an address.
std::optional<std::uint32_t> parse_ipv4(std::string_view host) noexcept;

// Appends "127.0.0.1".
void append_ipv4(std::string& out, std::uint32_t address);

}  // namespace webstrata
