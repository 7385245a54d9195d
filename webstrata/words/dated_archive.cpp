// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/dated_archive_test.cpp.

#include "webstrata/words/dated_archive.h"

#include <system_error>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/words/dates.h"

namespace webstrata {
namespace {

// Where the time begins; npos if there is none. An @ in a folder above belongs to its name.
std::size_t place_of_time(std::string_view word) {
  const std::size_t at = word.rfind('@');
  const std::size_t slash = word.rfind('/');
  const bool is_in_name =
      at != std::string_view::npos && at > 0 && (slash == std::string_view::npos || slash < at);
  std::error_code unreadable;
  if (!is_in_name || std::filesystem::exists(std::filesystem::path(word), unreadable)) {
    return std::string_view::npos;
  }
  return at;
}

}  // namespace

TimeInterval DatedArchive::interval() const noexcept {
  if (during) return *during;
  return {kEver.first, at.value_or(kEver.last)};
}

DatedArchive parse_archive_word(std::string_view word) {
  const std::size_t at = place_of_time(word);
  if (at == std::string_view::npos) return {.path = word};
  DatedArchive archive{.path = word.substr(0, at), .date = std::string(word.substr(at + 1))};
  const std::string_view what = word.substr(0, at + 1);
  if (archive.date.find("..") == std::string::npos) {
    archive.at = parse_date_word(what, archive.date).last;
  } else {
    archive.during = parse_dates_word(what, archive.date);
  }
  return archive;
}

std::filesystem::path undated_archive(std::string_view word, std::string_view why) {
  const std::size_t at = place_of_time(word);
  if (at == std::string_view::npos) return word;
  refuse(fmt::format("{}: {}; remove {}", word, why, word.substr(at)));
}

}  // namespace webstrata
