// SPDX-License-Identifier: Apache-2.0

// The text of a link as an archive keeps it.
//
//   append_anchor_text(out, "  Read\n more ");  // "Read more"

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

inline constexpr std::size_t kKeptTextMax = 100;  // characters, that is code points

// Appends `text` in valid UTF-8 (what is not becomes U+FFFD), with every run of white space and
// control characters as one space, none at the ends, cut after kKeptTextMax characters. Of a result
// it gives the same again.
void append_anchor_text(std::string& out, std::string_view text);

}  // namespace webstrata
