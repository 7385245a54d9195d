// SPDX-License-Identifier: Apache-2.0

// Text in the form in which keywords are searched: case, accents and forms of letters folded.
//
//   fold_words("Dál  RIATA: the ﬁnal Straße", out);   // out == "dal riata: the final strasse"
//
// Every character is decomposed (Unicode NFKD) and case-folded; accents are dropped, which are the
// marks on Latin, Greek and Cyrillic letters and the points of Hebrew and Arabic, which writers
// often omit. Vowel signs of other scripts stay: there they make different words. A few letters
// with a stroke, which Unicode does not decompose, become the plain letter (ø, ł, đ, ħ, ŧ, ı).
// Invisible characters (soft hyphens, joiners) are dropped. A run of white space is one space.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace webstrata {

// Appends. Ill-formed UTF-8 becomes U+FFFD, which is in no word.
void fold_words(std::string_view text, std::string& out);

// What a character of folded text means for the ends of words.
enum class WordRole : std::uint8_t {
  Between,  // space, punctuation, symbols
  Letter,   // letters, digits, their marks, '_'
  Alone,    // of a script that is written without spaces (Han, Kana, Thai, ...): a word may begin
            // and end anywhere between such
};
WordRole word_role(std::uint32_t code_point) noexcept;

// Whether a word may end between the bytes before `place` and those from it on.
bool is_word_edge(std::string_view folded, std::size_t place) noexcept;

}  // namespace webstrata
