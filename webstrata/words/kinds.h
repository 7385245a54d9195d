// SPDX-License-Identifier: Apache-2.0

// Kinds of links and dialects of URLs as users write them.
//
// `what` names the word in messages, such as "--links". All throw Error(BadInput) with a message
// that shows a valid word.

#pragma once

#include <optional>
#include <string_view>

#include "webstrata/facts/link.h"
#include "webstrata/url/dialect.h"

namespace webstrata {

// "graph", "all", or a list such as "navigation,embed".
LinkKinds parse_kinds_word(std::string_view what, std::string_view word);

Dialect parse_dialect_word(std::string_view what, std::string_view word);
// The same for an optional word: empty if `word` is.
std::optional<Dialect> parse_fold_word(std::string_view what, std::string_view word);

}  // namespace webstrata
