// SPDX-License-Identifier: Apache-2.0

// Tested by tests/jobs/crawl_job_test.cpp.

#include "webstrata/jobs/given_word.h"

#include <charconv>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/words/amounts.h"

namespace webstrata {

std::uint64_t GivenWord::number(std::uint64_t least, std::uint64_t most) const {
  std::uint64_t number = 0;
  const char* const end = text().data() + text().size();
  const auto [rest, error] = std::from_chars(text().data(), end, number);
  if (error == std::errc() && rest == end && number >= least && number <= most) return number;
  const std::string range = most == UINT64_MAX ? fmt::format("from {}", least)
                                               : fmt::format("from {} to {}", least, most);
  throw Error(ErrorKind::BadInput,
              fmt::format("{} {}: not a whole number {}", what, text(), range));
}

bool GivenWord::truth() const {
  if (text() == "true") return true;
  if (text() == "false") return false;
  throw Error(ErrorKind::BadInput, fmt::format("{} {}: not true or false", what, text()));
}

std::int64_t GivenWord::duration_ms() const { return parse_duration_word(what, text()); }

std::uint64_t GivenWord::bytes() const { return parse_bytes_word(what, text()); }

}  // namespace webstrata
