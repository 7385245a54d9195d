// SPDX-License-Identifier: Apache-2.0

// Hosts of normalised URLs: is it an address, and under which registered domain is it?

#pragma once

#include <string_view>

namespace webstrata {

// "192.0.2.1". Only for hosts as Url::host() gives them.
bool is_ipv4_address(std::string_view host) noexcept;
// "192.0.2.1" or "[2001:db8::1]".
bool is_ip_address(std::string_view host) noexcept;

// Which part of the Public Suffix List counts: suffixes under which registries sell names (ICANN),
// or also those under which companies let users register ("github.io").
enum class Suffixes { Icann, IcannAndPrivate };

// "example.co.uk" of "www.example.co.uk": one label more than the longest public suffix, as a part
// of `host`. Empty if the host is itself a public suffix, an address or empty. A top label that the
// list does not know counts as a suffix. A final dot stays. Safe to call from any thread.
std::string_view registered_domain(std::string_view host,
                                   Suffixes suffixes = Suffixes::IcannAndPrivate);

// Whether the last label is a top-level domain that the list knows.
bool has_known_top_level(std::string_view host);

}  // namespace webstrata
