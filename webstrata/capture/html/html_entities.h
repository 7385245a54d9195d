// SPDX-License-Identifier: Apache-2.0

// Character references (&amp; &copy &#233; &#xE9;) as HTML decodes them.
//
//   append_attribute_value("a?b=1&amp;c=2", value);  // value == "a?b=1&c=2"
//
// Input and output are UTF-8 (other bytes are copied as they are).

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

// An attribute's value as the standard's tokenizer gives it: references decoded (a legacy name
// before a letter, digit or '=' stays, so that "?a=1&copy=2" survives), line ends made \n, NUL
// made U+FFFD.
void append_attribute_value(std::string_view raw, std::string& out);

// The same for text between tags, where a legacy name is decoded whatever follows it. NUL is
// dropped, as it is in the body of a page.
void append_text(std::string_view raw, std::string& out);

}  // namespace webstrata
