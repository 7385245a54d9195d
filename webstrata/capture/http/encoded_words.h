// SPDX-License-Identifier: Apache-2.0

// Encoded words in header fields (RFC 2047), which the WARC standard allows:
// "=?utf-8?Q?caf=C3=A9?=".

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

// Replaces every encoded word by its bytes in UTF-8; white space between two of them is removed.
// Words in other charsets than UTF-8, ISO-8859-1 and US-ASCII, and broken ones, stay as they are.
std::string decode_encoded_words(std::string_view text);

// Whether there may be an encoded word: most fields have none.
inline bool may_have_encoded_words(std::string_view text) noexcept {
  return text.find("=?") != std::string_view::npos;
}

}  // namespace webstrata
