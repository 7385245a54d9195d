// SPDX-License-Identifier: Apache-2.0

// Dates and intervals as users write them.
//
// `what` names the word in messages: "--from" on the command line, "at" in Python. All throw
// Error(BadInput) with a message that shows a valid word.

#pragma once

#include <cstdint>
#include <string_view>

#include "webstrata/base/time.h"

namespace webstrata {

// All times.
inline constexpr TimeInterval kEver = kAllTime;

// The moments that begin with `word`: "2015", "2015-06", "20150601120000".
TimeInterval parse_date_word(std::string_view what, std::string_view word);
// "2015..2016-06": from the first second of the first date to the last second of the other; either
// may be missing.
TimeInterval parse_dates_word(std::string_view what, std::string_view word);

}  // namespace webstrata
