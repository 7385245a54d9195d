// SPDX-License-Identifier: Apache-2.0

// Text with its white space folded: every run of it is one space, none at the ends.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

class FoldedText {
 public:
  void clear() noexcept;
  // `raw` as the page writes it; character references are decoded where they have a meaning.
  void append(std::string_view raw, bool has_references);
  // Separates the words before from the words after, as the end of a paragraph does.
  void part() noexcept { space_pending_ = !text_.empty(); }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] std::size_t size() const noexcept { return text_.size(); }

 private:
  void fold(std::string_view decoded);

  std::string text_;
  std::string decoded_;
  bool space_pending_ = false;
};

// The first or last `count` characters of well-formed UTF-8.
std::string_view first_characters(std::string_view text, std::size_t count) noexcept;
std::string_view last_characters(std::string_view text, std::size_t count) noexcept;

std::string_view trim_spaces(std::string_view text) noexcept;

}  // namespace webstrata
