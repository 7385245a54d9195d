// SPDX-License-Identifier: Apache-2.0

// The rules are those of webarchive-commons, written as small matchers: a form is tried at every
// position from the right, since their patterns are greedy. Tested by
// tests/url/session_id_test.cpp.

#include "webstrata/url/session_id.h"

#include <algorithm>

#include "webstrata/url/characters.h"

namespace webstrata {
namespace {

bool is_letter_or_digit(char character) noexcept {
  return is_letter(character) || is_digit(character);
}

bool starts_with_ignoring_case(std::string_view text, std::string_view lower_prefix) noexcept {
  return text.size() >= lower_prefix.size() &&
         std::ranges::equal(text.substr(0, lower_prefix.size()), lower_prefix, {}, to_lower);
}

// Matches exactly `count` characters that satisfy `test`.
template <typename Test>
bool take(std::string_view& text, std::size_t count, const Test& test) {
  if (text.size() < count || !std::ranges::all_of(text.substr(0, count), test)) return false;
  text.remove_prefix(count);
  return true;
}

bool take_text(std::string_view& text, std::string_view lower_text) {
  if (!starts_with_ignoring_case(text, lower_text)) return false;
  text.remove_prefix(lower_text.size());
  return true;
}

// Everything up to the next '&'; at least one character.
bool take_value(std::string_view& text) {
  const std::size_t length = std::min(text.find('&'), text.size());
  text.remove_prefix(length);
  return length > 0;
}

enum class SessionForm { JavaId, PhpId, PlainId, AspId, ColdFusionPair };

bool take_session(std::string_view& text, SessionForm form) {
  switch (form) {
    case SessionForm::JavaId:
      return take_text(text, "jsessionid=") && take(text, 32, is_letter_or_digit);
    case SessionForm::PhpId:
      return take_text(text, "phpsessid=") && take(text, 32, is_letter_or_digit);
    case SessionForm::PlainId:
      return take_text(text, "sid=") && take(text, 32, is_letter_or_digit);
    case SessionForm::AspId:
      return take_text(text, "aspsessionid") && take(text, 8, is_letter) && take_text(text, "=") &&
             take(text, 24, is_letter);
    case SessionForm::ColdFusionPair:
      return take_text(text, "cfid=") && take_value(text) && take_text(text, "&cftoken=") &&
             take_value(text);
  }
  return false;
}

void strip_last(std::string& query, SessionForm form) {
  for (std::size_t start = query.size(); start-- > 0;) {
    std::string_view rest = std::string_view(query).substr(start);
    if (!take_session(rest, form)) continue;
    if (!rest.empty() && !take_text(rest, "&")) continue;
    query.erase(start, query.size() - start - rest.size());
    return;
  }
}

// Whether a page.aspx follows: at least one character other than '?' before ".aspx".
bool leads_to_aspx(std::string_view text) {
  for (std::size_t i = 0; i < text.size() && text[i] != '?'; ++i) {
    if (i > 0 && starts_with_ignoring_case(text.substr(i), ".aspx")) return true;
  }
  return false;
}

// "(24)/"
bool take_bare_asp_session(std::string_view& text) {
  return take_text(text, "(") && take(text, 24, is_letter_or_digit) && take_text(text, ")/");
}

// "(S(24)F(24)...)/"
bool take_asp_session(std::string_view& text) {
  if (!take_text(text, "(")) return false;
  std::size_t count = 0;
  while (take(text, 1, is_letter)) {
    if (!take_text(text, "(") || !take(text, 24, is_letter_or_digit) || !take_text(text, ")")) {
      return false;
    }
    ++count;
  }
  return count > 0 && take_text(text, ")/");
}

// The last ".aspx", of any case; 0 if there is none.
std::size_t last_aspx(std::string_view path) {
  std::size_t at = path.size();
  while (at > 0 && !starts_with_ignoring_case(path.substr(at), ".aspx")) --at;
  return at;
}

template <typename Take>
void strip_last_segment(std::string& path, const Take& take_segment) {
  for (std::size_t start = last_aspx(path); start-- > 1;) {
    std::string_view rest = std::string_view(path).substr(start);
    if (path[start - 1] != '/' || !take_segment(rest) || !leads_to_aspx(rest)) continue;
    path.erase(start, path.size() - start - rest.size());
    return;
  }
}

}  // namespace

void strip_path_session(std::string& path) {
  strip_last_segment(path, take_asp_session);
  strip_last_segment(path, take_bare_asp_session);
}

void strip_query_session(std::string& query) {
  for (const SessionForm form : {SessionForm::JavaId, SessionForm::PhpId, SessionForm::PlainId,
                                 SessionForm::AspId, SessionForm::ColdFusionPair}) {
    strip_last(query, form);
  }
}

}  // namespace webstrata
