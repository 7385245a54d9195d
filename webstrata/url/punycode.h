// SPDX-License-Identifier: Apache-2.0

// Punycode (RFC 3492): code points beyond ASCII written with letters, digits and hyphens.
// Without the "xn--" that marks it in a host.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace webstrata {

// "bücher" is "bcher-kva".
std::string punycode_encode(std::u32string_view label);

// Empty if `text` is not Punycode of valid code points.
std::optional<std::u32string> punycode_decode(std::string_view text);

}  // namespace webstrata
