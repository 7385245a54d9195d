// SPDX-License-Identifier: Apache-2.0

// captured or all: which targets of links count as pages, with the same meaning in every command.

#pragma once

#include <string_view>

#include "webstrata/graph/pages.h"

namespace webstrata {

// `what` names the word in messages, such as "--scope". Throws Error(BadInput).
Scope parse_scope_word(std::string_view what, std::string_view word);

}  // namespace webstrata
