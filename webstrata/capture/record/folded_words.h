// Text as keywords are looked for in: case, accents and forms of letters folded away.
//
//   fold_words("Dál  RIATA: the ﬁnal Straße", out);   // out == "dal riata: the final strasse"
//
// Every character is taken apart (Unicode NFKD) and case-folded; accents are dropped, which are the
// marks on Latin, Greek and Cyrillic letters and the points of Hebrew and Arabic, which writers
// leave out at will. Vowel signs of other scripts stay: there they make other words. A few letters
// with a stroke, which Unicode does not take apart, become the plain letter (ø, ł, đ, ħ, ŧ, ı).
// What nobody sees (soft hyphens, joiners) goes. A run of white space is one space.

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
