// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/words_test.cpp.

#include "webstrata/words/scope_word.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {

Scope parse_scope_word(std::string_view what, std::string_view word) {
  if (word == "captured") return Scope::Captured;
  if (word == "all") return Scope::All;
  throw Error(ErrorKind::BadInput, fmt::format("{} {}: not captured or all", what, word));
}

}  // namespace webstrata
