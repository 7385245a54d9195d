// SPDX-License-Identifier: Apache-2.0

// Amounts as users write them: memory, lengths of time, rates.
//
// `what` names the word in messages, such as "--memory". All throw Error(BadInput) with a message
// that shows a valid word.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "webstrata/base/duration.h"

namespace webstrata {

// "128M", "4G": a number and K, M, G or T (of 1,024).
std::size_t parse_bytes_word(std::string_view what, std::string_view word);
// "500ms", "90s", "15m", "3d" (base/duration.h), in milliseconds.
std::int64_t parse_duration_word(std::string_view what, std::string_view word);
// "300/15m", "10/s".
Rate parse_rate_word(std::string_view what, std::string_view word);

}  // namespace webstrata
