// SPDX-License-Identifier: Apache-2.0

// The characters are Unicode's categories Cc, Zl and Zp, and those with the property Bidi_Control.
// Tested by tests/base/printable_test.cpp and tests/cli/control_characters_test.py.

#include "webstrata/base/printable.h"

#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "webstrata/base/utf8.h"

namespace webstrata {
namespace {

// What a byte needs: nothing; a check of the character that it begins; a check of UTF-8 only if
// that must be well-formed.
enum class Look : unsigned char { None, Character, Utf8 };

constexpr std::array<Look, 256> make_looks() {
  std::array<Look, 256> looks{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    looks[byte] = byte < 0x20 || byte == 0x7f ? Look::Character : Look::None;
    if (byte >= 0x80) looks[byte] = Look::Utf8;
  }
  for (const std::size_t first : {0xc2, 0xd8, 0xe2}) looks[first] = Look::Character;
  return looks;
}
constexpr auto kLooks = make_looks();

// The character may affect a terminal or the order of the text around it.
bool is_obeyed(std::uint32_t character) {
  return character < 0x20 || (character >= 0x7f && character < 0xa0) || character == 0x061c ||
         character == 0x200e || character == 0x200f ||
         (character >= 0x2028 && character <= 0x202e) ||
         (character >= 0x2066 && character <= 0x2069);
}

void append_escape_of(std::string& out, std::uint32_t character) {
  switch (character) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", character);
  }
}

}  // namespace

void append_printable(std::string& out, std::string_view text, const PrintableOptions& options) {
  std::size_t plain_from = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char byte = text[at];
    const Look look = kLooks[static_cast<unsigned char>(byte)];
    const bool is_column = byte == '\n' || byte == '\t' || text.substr(at, 2) == "\r\n";
    if (look == Look::None || (look == Look::Utf8 && options.keep_ill_formed) ||
        (is_column && options.keep_columns)) {
      ++at;
      continue;
    }
    const std::size_t length = utf8_length(text.substr(at));
    std::string_view rest = text.substr(at);
    const std::uint32_t character = length > 0 ? take_utf8(rest) : 0;
    const bool stays = length > 0 ? !is_obeyed(character) : options.keep_ill_formed;
    const std::size_t step = length > 0 ? length : 1;
    if (!stays) {
      out.append(text, plain_from, at - plain_from);
      if (length > 0) {
        append_escape_of(out, character);
      } else {
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(byte));
      }
      plain_from = at + step;
    }
    at += step;
  }
  out.append(text, plain_from);
}

std::string printable(std::string_view text, const PrintableOptions& options) {
  std::string out;
  append_printable(out, text, options);
  return out;
}

}  // namespace webstrata
