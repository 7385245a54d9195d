// SPDX-License-Identifier: Apache-2.0

// Tested by tests/url/url_test.cpp.

#include "webstrata/url/path.h"

#include "webstrata/url/characters.h"
#include "webstrata/url/percent.h"

namespace webstrata {
namespace {

// Removes a "." or "%2e" from the front.
bool take_dot(std::string_view& text) noexcept {
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    return true;
  }
  if (text.size() < 3 || text[0] != '%' || text[1] != '2' || to_lower(text[2]) != 'e') return false;
  text.remove_prefix(3);
  return true;
}

// 1 for ".", 2 for "..", 0 for an ordinary segment.
int dots_in(std::string_view segment) noexcept {
  if (!take_dot(segment)) return 0;
  if (segment.empty()) return 1;
  return take_dot(segment) && segment.empty() ? 2 : 0;
}

// From "/a/b/" to "/a/"; the root stays.
void drop_last_segment(std::string& out, std::size_t path_start) {
  std::size_t end = out.size() - 1;
  while (end > path_start && out[end - 1] != '/') --end;
  if (end > path_start) out.resize(end);
}

// Follows the "../../" and "./" with which many links begin.
void follow_leading_dots(std::string& out, std::size_t path_start, std::string_view& text) {
  for (;;) {
    if (text.starts_with("../")) {
      drop_last_segment(out, path_start);
      text.remove_prefix(3);
    } else if (text.starts_with("./")) {
      text.remove_prefix(2);
    } else {
      return;
    }
  }
}

std::size_t segment_length(std::string_view text) noexcept {
  std::size_t length = 0;
  while (length < text.size() && (classes_of(text[length]) & kSlash) == 0) ++length;
  return length;
}

}  // namespace

bool may_hold_dot_segment(std::string_view text) noexcept {
  const auto begins_so = [&](std::size_t at) {
    return at < text.size() && (text[at] == '.' || text[at] == '%');
  };
  if (begins_so(0)) return true;
  for (std::size_t slash = text.find('/'); slash != std::string_view::npos;
       slash = text.find('/', slash + 1)) {
    if (begins_so(slash + 1)) return true;
  }
  return false;
}

void append_path(std::string& out, std::size_t path_start, std::string_view text, bool is_clean) {
  follow_leading_dots(out, path_start, text);
  if (is_clean && !may_hold_dot_segment(text)) {
    out += text;
    return;
  }
  for (;;) {
    const std::string_view segment = text.substr(0, segment_length(text));
    const bool is_last = segment.size() == text.size();
    const int dots = dots_in(segment);
    if (dots == 2) drop_last_segment(out, path_start);
    if (dots == 0) {
      append_percent_encoded(out, segment, kPathEncoded);
      if (!is_last) out += '/';
    }
    if (is_last) return;
    text.remove_prefix(segment.size() + 1);
  }
}

}  // namespace webstrata
