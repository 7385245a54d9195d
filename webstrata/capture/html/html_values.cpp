// SPDX-License-Identifier: Apache-2.0

// srcset is "4.8.4.3.10 Parsing a srcset attribute", refresh the "shared declarative refresh
// steps" of 4.2.5.3.
// Tested by tests/capture/html_values_test.cpp.

#include "webstrata/capture/html/html_values.h"

#include <algorithm>

#include "webstrata/base/text.h"

namespace webstrata {
namespace {

void skip_spaces(std::string_view& text) noexcept {
  while (!text.empty() && is_white_space(text.front())) text.remove_prefix(1);
}

template <typename Belongs>
std::string_view take_while(std::string_view& text, Belongs belongs) noexcept {
  std::size_t size = 0;
  while (size < text.size() && belongs(text[size])) ++size;
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(size);
  return taken;
}

std::string_view take_value(std::string_view& text) noexcept {
  skip_spaces(text);
  return take_while(text, [](char c) { return !is_white_space(c); });
}

// What browsers fetch automatically.
constexpr std::string_view kLoadedRelations[] = {
    "stylesheet", "icon",     "apple-touch-icon", "apple-touch-icon-precomposed",
    "preload",    "prefetch", "modulepreload",    "apple-touch-startup-image",
    "manifest",   "import",   "mask-icon",        "fluid-icon",
    "prerender"};

bool is_whole_number(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// A floating-point number of the standard that is not negative: "2", "1.5", ".5e1"; "-0" too.
bool is_density(std::string_view text) noexcept {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  bool is_zero = true;
  const auto digits = [&] {
    const std::string_view taken = take_while(text, is_digit);
    is_zero &= taken.find_first_not_of('0') == std::string_view::npos;
    return taken.size();
  };
  std::size_t count = digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::size_t decimals = digits();
    if (decimals == 0) return false;
    count += decimals;
  }
  if (count == 0 || (negative && !is_zero)) return false;
  if (text.empty()) return true;
  if (to_lower(text.front()) != 'e') return false;
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return is_whole_number(text);
}

// The descriptors of one candidate; it is dropped if `makes_sense` is false at the end.
struct Descriptors {
  bool makes_sense = true;
  bool has_width = false;
  bool has_density = false;
  bool has_height = false;

  void add(std::string_view descriptor) noexcept {
    if (descriptor.empty()) return;
    const char unit = descriptor.back();
    const std::string_view number = descriptor.substr(0, descriptor.size() - 1);
    const bool is_positive =
        is_whole_number(number) && number.find_first_not_of('0') != std::string_view::npos;
    if (unit == 'w') {
      makes_sense &= is_positive && !has_width && !has_density;
      has_width = true;
    } else if (unit == 'x') {
      makes_sense &= is_density(number) && !has_width && !has_density && !has_height;
      has_density = true;
    } else if (unit == 'h') {
      makes_sense &= is_positive && !has_height && !has_density;
      has_height = true;
    } else {
      makes_sense = false;
    }
  }
  [[nodiscard]] bool good() const noexcept { return makes_sense && (has_width || !has_height); }
};

// Up to and including the comma that ends the candidate; commas in parentheses do not.
Descriptors take_descriptors(std::string_view& text) noexcept {
  Descriptors descriptors;
  std::size_t start = 0;
  std::size_t at = 0;
  bool in_parentheses = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (in_parentheses) {
      in_parentheses = c != ')';
    } else if (c == '(') {
      in_parentheses = true;
    } else if (c == ',') {
      break;
    } else if (is_white_space(c)) {
      descriptors.add(text.substr(start, at - start));
      start = at + 1;
    }
  }
  descriptors.add(text.substr(start, at - start));
  text.remove_prefix(std::min(at + 1, text.size()));
  return descriptors;
}

// Removes a letter (lower case) from the front, in either case.
bool take_letter(std::string_view& text, char letter) noexcept {
  if (text.empty() || to_lower(text.front()) != letter) return false;
  text.remove_prefix(1);
  return true;
}

// Removes "url =" from the front of a refresh. False if it is incomplete: then the whole text is
// the URL.
bool take_url_word(std::string_view& text) noexcept {
  if (!take_letter(text, 'u')) return true;
  if (!take_letter(text, 'r') || !take_letter(text, 'l')) return false;
  skip_spaces(text);
  if (!take_letter(text, '=')) return false;
  skip_spaces(text);
  return true;
}

}  // namespace

bool has_word(std::string_view list, std::string_view word) noexcept {
  for (;;) {
    const std::string_view next = take_value(list);
    if (next.empty()) return false;
    if (equal_ignoring_case(next, word)) return true;
  }
}

LinkKinds kinds_of_relation(std::string_view rel) noexcept {
  const bool is_loaded =
      std::any_of(std::begin(kLoadedRelations), std::end(kLoadedRelations),
                  [rel](std::string_view loaded) { return has_word(rel, loaded); });
  return is_loaded ? LinkKind::Embed : LinkKind::Relation;
}

LinkKinds kinds_of_anchor(std::string_view rel) noexcept {
  const bool nofollow =
      has_word(rel, "nofollow") || has_word(rel, "ugc") || has_word(rel, "sponsored");
  return nofollow ? LinkKinds(LinkKind::Nofollow) : LinkKinds();
}

void parse_srcset(std::string_view value, std::vector<std::string_view>& urls) {
  for (;;) {
    take_while(value, [](char c) { return is_white_space(c) || c == ','; });
    if (value.empty()) return;
    std::string_view url = take_value(value);
    if (url.ends_with(',')) {
      while (url.ends_with(',')) url.remove_suffix(1);
      urls.push_back(url);
      continue;
    }
    if (take_descriptors(value).good()) urls.push_back(url);
  }
}

std::optional<std::string_view> parse_refresh(std::string_view content) noexcept {
  skip_spaces(content);
  const bool has_seconds = !take_while(content, is_digit).empty();
  if (!has_seconds && !content.starts_with('.')) return std::nullopt;
  take_while(content, [](char c) { return is_digit(c) || c == '.'; });
  if (content.empty()) return std::nullopt;
  if (content.front() != ';' && content.front() != ',' && !is_white_space(content.front())) {
    return std::nullopt;
  }
  skip_spaces(content);
  if (content.starts_with(';') || content.starts_with(',')) content.remove_prefix(1);
  skip_spaces(content);
  if (content.empty()) return std::nullopt;
  std::string_view url = content;
  if (!take_url_word(url)) return content;
  if (!url.starts_with('\'') && !url.starts_with('"')) return url;
  const char quote = url.front();
  url.remove_prefix(1);
  return url.substr(0, url.find(quote));
}

}  // namespace webstrata
