// SPDX-License-Identifier: Apache-2.0

// The table of well-formed sequences is Unicode's table 3-7.
// Tested by tests/base/utf8_test.cpp.

#include "webstrata/base/utf8.h"

#include <cstring>

namespace webstrata {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

// The shape of a sequence from its first byte: how long, and which second bytes are allowed.
struct Shape {
  unsigned length = 0;  // 0: not the start of a sequence
  unsigned char second_min = 0x80;
  unsigned char second_max = 0xbf;
};

Shape shape_of(unsigned char first) noexcept {
  if (first < 0x80) return {1};
  if (first < 0xc2) return {0};
  if (first < 0xe0) return {2};
  if (first == 0xe0) return {3, 0xa0};
  if (first == 0xed) return {3, 0x80, 0x9f};
  if (first < 0xf0) return {3};
  if (first == 0xf0) return {4, 0x90};
  if (first < 0xf4) return {4};
  if (first == 0xf4) return {4, 0x80, 0x8f};
  return {0};
}

// How many bytes at the front agree with `shape`; at least 1.
unsigned agreeing_bytes(std::string_view text, const Shape& shape) noexcept {
  unsigned count = 1;
  for (; count < shape.length && count < text.size(); ++count) {
    const auto byte = static_cast<unsigned char>(text[count]);
    const unsigned char low = count == 1 ? shape.second_min : 0x80;
    const unsigned char high = count == 1 ? shape.second_max : 0xbf;
    if (byte < low || byte > high) break;
  }
  return count;
}

}  // namespace

std::size_t utf8_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const Shape shape = shape_of(static_cast<unsigned char>(text.front()));
  return shape.length > 0 && agreeing_bytes(text, shape) == shape.length ? shape.length : 0;
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    std::uint64_t word = 0;  // eight ASCII bytes at a time
    while (text.size() >= 8) {
      std::memcpy(&word, text.data(), 8);
      if ((word & 0x8080808080808080) != 0) break;
      text.remove_prefix(8);
    }
    if (text.empty()) break;
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void append_utf8(std::string& out, std::uint32_t code_point) {
  if (code_point > 0x10ffff || (code_point >= 0xd800 && code_point <= 0xdfff)) {
    code_point = kReplacement;
  }
  const auto tail = [&](unsigned shift) {
    out.push_back(static_cast<char>(0x80 | (code_point >> shift & 0x3f)));
  };
  if (code_point < 0x80) {
    out.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out.push_back(static_cast<char>(0xc0 | code_point >> 6));
    tail(0);
  } else if (code_point < 0x10000) {
    out.push_back(static_cast<char>(0xe0 | code_point >> 12));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xf0 | code_point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::uint32_t take_utf8(std::string_view& text) noexcept {
  const auto first = static_cast<unsigned char>(text.front());
  const Shape shape = shape_of(first);
  if (shape.length == 0) {
    text.remove_prefix(1);
    return kReplacement;
  }
  const unsigned count = agreeing_bytes(text, shape);
  std::uint32_t code_point = shape.length == 1 ? first : first & (0x7fU >> shape.length);
  for (unsigned i = 1; i < count; ++i) {
    code_point = code_point << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  text.remove_prefix(count);
  return count == shape.length ? code_point : kReplacement;
}

}  // namespace webstrata
