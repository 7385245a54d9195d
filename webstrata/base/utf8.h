// SPDX-License-Identifier: Apache-2.0

// UTF-8, strictly: no overlong forms, no surrogates, nothing above U+10FFFF.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace webstrata {

// Bytes of the well-formed character at the front of `text` (1..4); 0 if there is none.
std::size_t utf8_length(std::string_view text) noexcept;

bool is_utf8(std::string_view text) noexcept;

// Appends a code point; surrogates and values above U+10FFFF become U+FFFD.
void append_utf8(std::string& out, std::uint32_t code_point);

// Removes one character from the front of non-empty `text`. An ill-formed sequence gives U+FFFD and
// loses its maximal subpart, as the WHATWG decoder does.
std::uint32_t take_utf8(std::string_view& text) noexcept;

}  // namespace webstrata
