// SPDX-License-Identifier: Apache-2.0

// Colour on a terminal: headers, errors and warnings. None if NO_COLOR is set
// and not empty (https://no-color.org), if TERM is "dumb", or if the output is not a terminal,
// unless --color says otherwise.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace webstrata {

enum class ColourWish : std::uint8_t { Auto, Always, Never };
enum class Tone : std::uint8_t { Plain, Heading, Warning, Error };

// For the whole program: what --color says.
void set_colour(ColourWish wish) noexcept;
// Whether what goes to this descriptor is coloured.
bool is_coloured(int descriptor) noexcept;

// `text` between the codes of its tone, if `descriptor` is coloured.
std::string coloured(std::string_view text, Tone tone, int descriptor);

}  // namespace webstrata
