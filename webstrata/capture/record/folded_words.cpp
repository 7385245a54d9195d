// SPDX-License-Identifier: Apache-2.0

// The foldings of the first 2^17 code points are computed once by utf8proc and kept in a table:
// calling it for each character is several times slower than the matching itself.
// Tested by tests/capture/folded_words_test.cpp.

#include "webstrata/capture/record/folded_words.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "webstrata/base/utf8.h"

namespace webstrata {
namespace {

constexpr std::uint32_t kTableSize = 1 << 17;
constexpr std::uint32_t kAsciiEnd = 0x80;

struct Span {
  std::uint32_t first;
  std::uint32_t last;
};

template <std::size_t size>
bool is_in(const std::array<Span, size>& spans, std::uint32_t code_point) noexcept {
  return std::any_of(spans.begin(), spans.end(), [&](const Span& span) {
    return code_point >= span.first && code_point <= span.last;
  });
}

// Combining marks of European scripts, Hebrew points, Arabic signs; marks for symbols.
constexpr std::array kAccents = std::to_array<Span>({{0x300, 0x36f},
                                                     {0x483, 0x487},
                                                     {0x591, 0x5bd},
                                                     {0x5bf, 0x5bf},
                                                     {0x5c1, 0x5c2},
                                                     {0x5c4, 0x5c5},
                                                     {0x5c7, 0x5c7},
                                                     {0x640, 0x640},
                                                     {0x64b, 0x65f},
                                                     {0x670, 0x670},
                                                     {0x1ab0, 0x1aff},
                                                     {0x1dc0, 0x1dff},
                                                     {0x20d0, 0x20ff},
                                                     {0xfe20, 0xfe2f}});

// Thai, Lao, Tibetan, Myanmar, Khmer, Kana, Bopomofo, Han with its extensions, Yi.
constexpr std::array kWithoutSpaces = std::to_array<Span>({{0xe00, 0xeff},
                                                           {0xf00, 0xfff},
                                                           {0x1000, 0x109f},
                                                           {0x1780, 0x17ff},
                                                           {0x2e80, 0x2fdf},
                                                           {0x3005, 0x3007},
                                                           {0x3021, 0x312f},
                                                           {0x31a0, 0x31ff},
                                                           {0x3400, 0x4dbf},
                                                           {0x4e00, 0x9fff},
                                                           {0xa000, 0xa4cf},
                                                           {0xf900, 0xfaff},
                                                           {0x1b000, 0x1b16f},
                                                           {0x20000, 0x3ffff}});

constexpr std::array kStrokes = std::to_array<std::pair<std::uint32_t, char>>(
    {{0xf8, 'o'}, {0x111, 'd'}, {0x127, 'h'}, {0x131, 'i'}, {0x142, 'l'}, {0x167, 't'}});

char plain_letter(std::uint32_t code_point) noexcept {
  for (const auto& [letter, plain] : kStrokes) {
    if (letter == code_point) return plain;
  }
  return '\0';
}

bool is_space(std::uint32_t code_point) noexcept {
  if (code_point <= ' ') return code_point == ' ' || (code_point >= '\t' && code_point <= '\r');
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(code_point));
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP || code_point == 0x85;
}

// One character, folded.
std::string folding_of(std::uint32_t code_point) {
  if (is_space(code_point)) return " ";
  constexpr auto kHow = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
                                                       UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
  std::array<utf8proc_int32_t, 32> parts{};
  int last_class = 0;
  const utf8proc_ssize_t found =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code_point), parts.data(),
                              static_cast<utf8proc_ssize_t>(parts.size()), kHow, &last_class);
  std::string folded;
  for (utf8proc_ssize_t i = 0; i < found && i < static_cast<utf8proc_ssize_t>(parts.size()); ++i) {
    const auto part = static_cast<std::uint32_t>(parts[static_cast<std::size_t>(i)]);
    const char plain = plain_letter(part);
    if (is_in(kAccents, part)) continue;
    if (plain != '\0') {
      folded.push_back(plain);
    } else {
      append_utf8(folded, is_space(part) ? ' ' : part);
    }
  }
  return folded;
}

class FoldingTable {
 public:
  FoldingTable() {
    ends_.reserve(kTableSize);
    for (std::uint32_t code_point = 0; code_point < kTableSize; ++code_point) {
      text_ += folding_of(code_point);
      ends_.push_back(static_cast<std::uint32_t>(text_.size()));
    }
  }
  [[nodiscard]] std::string_view operator[](std::uint32_t code_point) const noexcept {
    const std::uint32_t start = code_point == 0 ? 0 : ends_[code_point - 1];
    return std::string_view(text_).substr(start, ends_[code_point] - start);
  }

 private:
  std::string text_;
  std::vector<std::uint32_t> ends_;
};

const FoldingTable& folding_table() {
  static const FoldingTable table;
  return table;
}

constexpr bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void append_space(std::string& out) {
  if (!out.empty() && out.back() != ' ') out.push_back(' ');
}

// The character that begins at `place`, or the one that ends before it.
std::uint32_t character_at(std::string_view text, std::size_t place) noexcept {
  text.remove_prefix(place);
  return take_utf8(text);
}
std::uint32_t character_before(std::string_view text, std::size_t place) noexcept {
  std::size_t start = place - 1;
  while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) --start;
  return character_at(text, start);
}

}  // namespace

void fold_words(std::string_view text, std::string& out) {
  const FoldingTable& table = folding_table();
  while (!text.empty()) {
    const char c = text.front();
    if (static_cast<unsigned char>(c) < kAsciiEnd) {
      text.remove_prefix(1);
      if (is_ascii_space(c)) {
        append_space(out);
      } else {
        out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c);
      }
      continue;
    }
    const std::uint32_t code_point = take_utf8(text);
    if (code_point >= kTableSize) {
      out += folding_of(code_point);
      continue;
    }
    const std::string_view folding = table[code_point];
    if (folding == " ") {
      append_space(out);
    } else {
      out += folding;
    }
  }
}

WordRole word_role(std::uint32_t code_point) noexcept {
  if (code_point < kAsciiEnd) {
    const bool is_letter = (code_point >= 'a' && code_point <= 'z') ||
                           (code_point >= 'A' && code_point <= 'Z') ||
                           (code_point >= '0' && code_point <= '9') || code_point == '_';
    return is_letter ? WordRole::Letter : WordRole::Between;
  }
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return is_in(kWithoutSpaces, code_point) ? WordRole::Alone : WordRole::Letter;
    default:
      return WordRole::Between;
  }
}

bool is_word_edge(std::string_view folded, std::size_t place) noexcept {
  if (place == 0 || place >= folded.size()) return true;
  return word_role(character_before(folded, place)) != WordRole::Letter ||
         word_role(character_at(folded, place)) != WordRole::Letter;
}

}  // namespace webstrata
