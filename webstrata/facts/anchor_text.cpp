// SPDX-License-Identifier: Apache-2.0

// Tested by tests/facts/anchor_text_test.cpp.

#include "webstrata/facts/anchor_text.h"

#include <cstdint>

#include "webstrata/base/utf8.h"

namespace webstrata {
namespace {

// Unicode's White_Space and its control characters (Cc).
constexpr bool is_blank(std::uint32_t c) noexcept {
  if (c <= ' ' || (c >= 0x7f && c <= 0xa0)) return true;
  if (c < 0x1680) return false;
  return c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
         c == 0x205f || c == 0x3000;
}

}  // namespace

void append_anchor_text(std::string& out, std::string_view text) {
  const std::size_t start = out.size();
  bool is_after_space = false;
  for (std::size_t left = kKeptTextMax; left > 0 && !text.empty();) {
    const std::uint32_t c = take_utf8(text);
    if (is_blank(c)) {
      is_after_space = out.size() > start;
      continue;
    }
    if (is_after_space) {
      if (--left == 0) return;  // a space would be the last character
      out.push_back(' ');
      is_after_space = false;
    }
    append_utf8(out, c);
    --left;
  }
}

}  // namespace webstrata
