// SPDX-License-Identifier: Apache-2.0

// The known word that a mistyped one is closest to.
//
//   did_you_mean("extrakt", {"extract", "export"});  // "; did you mean extract?"

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view one, std::string_view other);

// Empty if no known word is close: at most one edit for every three letters, and one at least. Of
// words that are equally close, the first. A known word that begins with `word` is close too.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

// The end of an error message: "; did you mean extract?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace webstrata
