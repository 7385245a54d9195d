// What the words after a flag mean: kinds of links, amounts of memory, dates.
//
// All throw Error(BadInput) with a message that names the flag and shows a word that would do.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "webstrata/base/time.h"
#include "webstrata/facts/link.h"
#include "webstrata/url/dialect.h"

namespace webstrata {

// "graph", "all", or a list such as "navigation,embed".
LinkKinds parse_kinds_flag(std::string_view flag, std::string_view word);

// "128M", "4G": a number and K, M, G or T (of 1,024).
std::size_t parse_bytes_flag(std::string_view flag, std::string_view word);

// The moments that begin with `word`: "2015", "2015-06", "20150601120000".
TimeInterval parse_date_flag(std::string_view flag, std::string_view word);
// "2015..2016-06": from the first second of one to the last of the other; either may be missing.
TimeInterval parse_dates_flag(std::string_view flag, std::string_view word);

Dialect parse_dialect_flag(std::string_view flag, std::string_view word);

// All of time.
inline constexpr TimeInterval kEver = {INT64_MIN, INT64_MAX};

}  // namespace webstrata
