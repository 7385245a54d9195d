// SPDX-License-Identifier: Apache-2.0

// Tested by tests/codec/text_table_test.cpp.

#include "webstrata/codec/text_table.h"

#include <algorithm>

#include "webstrata/base/error.h"

namespace webstrata {

SharedEnds shared_ends(std::string_view before, std::string_view text) noexcept {
  const std::size_t most = std::min(before.size(), text.size());
  SharedEnds shared;
  while (shared.front < most && before[shared.front] == text[shared.front]) ++shared.front;
  while (shared.back < most - shared.front &&
         before[before.size() - 1 - shared.back] == text[text.size() - 1 - shared.back]) {
    ++shared.back;
  }
  return shared;
}

void append_text_table(std::string& out, const std::vector<std::string_view>& texts) {
  append_varint(out, texts.size());
  std::string_view before;
  for (const std::string_view text : texts) {
    const SharedEnds shared = shared_ends(before, text);
    const std::string_view middle =
        text.substr(shared.front, text.size() - shared.front - shared.back);
    append_varint(out, shared.front);
    append_varint(out, shared.back);
    append_varint(out, middle.size());
    out += middle;
    before = text;
  }
}

std::vector<std::string> read_text_table(ByteReader& bytes, std::size_t count_max,
                                         std::size_t bytes_max) {
  const std::uint64_t count = bytes.varint();
  // Every text takes three bytes at least.
  if (count > count_max || count > bytes.remaining() / 3) {
    throw Error(ErrorKind::Corrupt, "a table has too many texts");
  }
  std::vector<std::string> texts;
  texts.reserve(count);
  std::string_view before;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t front = bytes.varint();
    const std::uint64_t back = bytes.varint();
    const std::string_view middle = bytes.take(bytes.varint());
    const bool fits = front <= before.size() && back <= before.size() - front;
    if (!fits || front + back + middle.size() > bytes_max) {
      throw Error(ErrorKind::Corrupt, "a text of a table does not fit");
    }
    std::string text;
    text.reserve(front + middle.size() + back);
    text += before.substr(0, front);
    text += middle;
    text += before.substr(before.size() - back);
    bytes_max -= text.size();
    texts.push_back(std::move(text));
    before = texts.back();
  }
  return texts;
}

}  // namespace webstrata
