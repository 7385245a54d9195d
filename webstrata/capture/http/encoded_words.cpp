// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/encoded_words_test.cpp.

#include "webstrata/capture/http/encoded_words.h"

#include <cstdint>
#include <optional>

#include "webstrata/base/text.h"
#include "webstrata/base/utf8.h"

namespace webstrata {
namespace {

std::optional<std::string> decode_q(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') {
      bytes.push_back(text[i] == '_' ? ' ' : text[i]);
      continue;
    }
    const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return bytes;
}

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

std::optional<std::string> decode_b(std::string_view text) {
  std::string bytes;
  std::uint32_t buffer = 0;
  int bits = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    const int value = base64_value(c);
    if (value < 0) return std::nullopt;
    buffer = (buffer << 6 | static_cast<std::uint32_t>(value)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(buffer >> bits & 0xff));
  }
  return bytes;
}

std::optional<std::string> to_utf8(std::string bytes, std::string_view charset) {
  if (equal_ignoring_case(charset, "utf-8") || equal_ignoring_case(charset, "us-ascii")) {
    return bytes;
  }
  if (!equal_ignoring_case(charset, "iso-8859-1")) return std::nullopt;
  std::string text;
  for (const char c : bytes) append_utf8(text, static_cast<unsigned char>(c));
  return text;
}

// Removes one encoded word from the front of `rest`, which begins with "=?".
std::optional<std::string> take_encoded_word(std::string_view& rest) {
  const std::size_t charset_end = rest.find('?', 2);
  if (charset_end == std::string_view::npos || charset_end + 2 >= rest.size() ||
      rest[charset_end + 2] != '?') {
    return std::nullopt;
  }
  const std::size_t end = rest.find("?=", charset_end + 3);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view charset = rest.substr(2, charset_end - 2);
  const std::string_view body = rest.substr(charset_end + 3, end - charset_end - 3);
  const char encoding = to_lower(rest[charset_end + 1]);
  auto bytes = encoding == 'q'   ? decode_q(body)
               : encoding == 'b' ? decode_b(body)
                                 : std::optional<std::string>();
  auto text = bytes ? to_utf8(std::move(*bytes), charset) : std::nullopt;
  if (text) rest.remove_prefix(end + 2);
  return text;
}

}  // namespace

std::string decode_encoded_words(std::string_view text) {
  std::string decoded;
  bool follows_word = false;
  while (!text.empty()) {
    if (text.starts_with("=?")) {
      if (const auto word = take_encoded_word(text)) {
        decoded += *word;
        follows_word = true;
        continue;
      }
    }
    const std::size_t gap = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    if (follows_word && gap > 0 && text.substr(gap).starts_with("=?")) {
      text.remove_prefix(gap);
    } else {
      decoded.push_back(text.front());
      text.remove_prefix(1);
    }
    follows_word = false;
  }
  return decoded;
}

}  // namespace webstrata
