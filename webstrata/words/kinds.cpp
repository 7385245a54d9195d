// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/words_test.cpp.

#include "webstrata/words/kinds.h"

#include <string>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

[[noreturn]] void refuse_kind(std::string_view what, std::string_view word,
                              std::string_view wanted) {
  throw Error(ErrorKind::BadInput, fmt::format("{} {}: {}", what, word, wanted));
}

}  // namespace

LinkKinds parse_kinds_word(std::string_view what, std::string_view word) {
  if (word == "graph") return kGraphKinds;
  if (word == "all") return kAllKinds;
  const auto kinds = parse_link_kinds(word);
  if (kinds) return *kinds;
  refuse_kind(what, word,
              fmt::format("not graph, all, or a list of kinds such as {}",
                          to_string(LinkKind::Navigation | LinkKind::Embed)));
}

Dialect parse_dialect_word(std::string_view what, std::string_view word) {
  const auto dialect = parse_dialect(word);
  if (!dialect) refuse_kind(what, word, "not a dialect: ia, pywb or cdxj");
  return *dialect;
}

std::optional<Dialect> parse_fold_word(std::string_view what, std::string_view word) {
  if (word.empty()) return std::nullopt;
  return parse_dialect_word(what, word);
}

}  // namespace webstrata
