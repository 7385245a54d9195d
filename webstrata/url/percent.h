// SPDX-License-Identifier: Apache-2.0

// Percent-encoding: %41 for A.

#pragma once

#include <string>
#include <string_view>

#include "webstrata/url/characters.h"

namespace webstrata {

// Appends the byte as '%' and two upper-case digits.
void append_percent(std::string& out, char byte);

// Appends `text` with every byte of the class percent-encoded; an existing %41 stays as it is.
void append_percent_encoded(std::string& out, std::string_view text, CharacterClass encoded);

// The byte that %XX at `position` encodes; -1 if no escape begins there.
int percent_value(std::string_view text, std::size_t position) noexcept;

// Appends `text` with every escape decoded once.
void append_percent_decoded(std::string& out, std::string_view text);

}  // namespace webstrata
