// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/html_text_test.cpp.

#include "webstrata/capture/html/html_text.h"

#include <algorithm>

#include "webstrata/base/text.h"
#include "webstrata/capture/html/html_entities.h"

namespace webstrata {
namespace {

// UTF-8: every byte that is not a continuation begins a character.
constexpr bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

}  // namespace

void FoldedText::clear() noexcept {
  text_.clear();
  space_pending_ = false;
}

void FoldedText::append(std::string_view raw, bool has_references) {
  const auto is_plain = [](char c) { return c != '&' && c != '\0'; };
  if (!has_references || std::all_of(raw.begin(), raw.end(), is_plain)) {
    fold(raw);
    return;
  }
  decoded_.clear();
  append_text(raw, decoded_);
  fold(decoded_);
}

void FoldedText::fold(std::string_view decoded) {
  std::size_t at = 0;
  while (at < decoded.size()) {
    const std::size_t word = at;
    while (at < decoded.size() && !is_white_space(decoded[at])) ++at;
    if (at > word) {
      if (space_pending_) text_.push_back(' ');
      space_pending_ = false;
      text_.append(decoded, word, at - word);
    }
    while (at < decoded.size() && is_white_space(decoded[at])) {
      space_pending_ = !text_.empty();
      ++at;
    }
  }
}

std::string_view first_characters(std::string_view text, std::size_t count) noexcept {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (begins_character(text[at]) && count-- == 0) break;
  }
  return text.substr(0, at);
}

std::string_view last_characters(std::string_view text, std::size_t count) noexcept {
  std::size_t at = text.size();
  while (at > 0 && count > 0) {
    if (begins_character(text[--at])) --count;
  }
  return text.substr(at);
}

std::string_view trim_spaces(std::string_view text) noexcept {
  while (!text.empty() && is_white_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_white_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace webstrata
