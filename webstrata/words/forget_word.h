// SPDX-License-Identifier: Apache-2.0

// What to forget, as users write it: the words of url_word.h. A URL may lack its scheme, and a
// wildcard is a prefix, or a host with all hosts below it. With `exactly` a word is meant as it is.

#pragma once

#include <string>

#include "webstrata/facts/forget.h"

namespace webstrata {

// `scope` is that of the option: --url, --prefix, --host.
Forget parse_forget_word(ForgetScope scope, const std::string& word, bool exactly);

}  // namespace webstrata
