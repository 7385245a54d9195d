// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/words_test.cpp.

#include "webstrata/words/dates.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

[[noreturn]] void refuse_date(std::string_view what, std::string_view word,
                              std::string_view wanted) {
  throw Error(ErrorKind::BadInput, fmt::format("{} {}: {}", what, word, wanted));
}

}  // namespace

TimeInterval parse_date_word(std::string_view what, std::string_view word) {
  const auto interval = parse_interval(word);
  if (!interval) refuse_date(what, word, "not a date such as 2015, 2015-06 or 20150601120000");
  return *interval;
}

TimeInterval parse_dates_word(std::string_view what, std::string_view word) {
  const std::size_t dots = word.find("..");
  if (dots == std::string_view::npos) return parse_date_word(what, word);
  const std::string_view from = word.substr(0, dots);
  const std::string_view to = word.substr(dots + 2);
  TimeInterval interval = kEver;
  if (!from.empty()) interval.first = parse_date_word(what, from).first;
  if (!to.empty()) interval.last = parse_date_word(what, to).last;
  if (interval.first > interval.last) refuse_date(what, word, "it ends before it begins");
  return interval;
}

}  // namespace webstrata
