// SPDX-License-Identifier: Apache-2.0

// The states of the HTML standard ("13.2.5 Tokenization") folded into a few loops:
//
// - text is skipped to the next '<' that begins markup;
// - a comment ends at the first "-->" that may share its dashes with the opening, or at the first
//   "--!>" that may not; a DOCTYPE and everything bogus end at the first '>';
// - a tag is its name and then attributes, whose quotes count only after a '='; a tag that is cut
//   off by the end of the page is dropped;
// - <title>, <style> and their kin run to their own end tag, <script> with its two escaped states.
//
// CR counts as white space wherever the standard, which makes it a line feed first, says LF.
// Tested by tests/capture/html_tokenizer_test.cpp and html_differential_test.py.

#include "webstrata/capture/html/html_tokenizer.h"

#include <algorithm>
#include <cstring>

#include "webstrata/capture/html/html_entities.h"

namespace webstrata {
namespace {

enum HtmlClass : std::uint8_t {
  kSpace = 1,
  kTagNameEnd = 2,        // white space / >
  kAttributeNameEnd = 4,  // white space / > =
  kUnquotedEnd = 8,       // white space >
  kLetter = 16,
  kDecode = 32,  // & CR NUL: the value is not what the page writes
  kNotAscii = 64,
};

constexpr auto kClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  for (const unsigned char c : {'\t', '\n', '\f', '\r', ' '}) {
    classes[c] = kSpace | kTagNameEnd | kAttributeNameEnd | kUnquotedEnd;
  }
  classes['/'] = kTagNameEnd | kAttributeNameEnd;
  classes['>'] = kTagNameEnd | kAttributeNameEnd | kUnquotedEnd;
  classes['='] = kAttributeNameEnd;
  for (unsigned char c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = kLetter;
  classes['&'] |= kDecode;
  classes['\r'] |= kDecode;
  classes['\0'] |= kDecode;
  for (unsigned c = 0x80; c <= 0xff; ++c) classes[c] = kNotAscii;
  return classes;
}();

bool is(HtmlClass wanted, char c) noexcept {
  return (kClasses[static_cast<unsigned char>(c)] & wanted) != 0;
}

const char* skip_until(HtmlClass wanted, const char* at, const char* end) noexcept {
  while (at != end && !is(wanted, *at)) ++at;
  return at;
}

const char* skip_spaces(const char* at, const char* end) noexcept {
  while (at != end && is(kSpace, *at)) ++at;
  return at;
}

const char* find(char c, const char* at, const char* end) noexcept {
  if (at == end || *at == c) return at;  // tags often follow each other: no call needed
  const void* const found = std::memchr(at, c, static_cast<std::size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found);
}

// After the first '>', or the end.
const char* behind_greater_than(const char* at, const char* end) noexcept {
  const char* const found = find('>', at, end);
  return found == end ? end : found + 1;
}

// `lower` must be lower case.
bool begins_with(const char* at, const char* end, std::string_view lower) noexcept {
  if (static_cast<std::size_t>(end - at) < lower.size()) return false;
  return std::equal(lower.begin(), lower.end(), at, [](char wanted, char c) {
    return c == wanted || (is(kLetter, c) && (c | 0x20) == wanted);
  });
}

bool begins_with_exactly(const char* at, const char* end, std::string_view text) noexcept {
  return std::string_view(at, static_cast<std::size_t>(end - at)).starts_with(text);
}

// Whether the exact name of a tag is here: "script>" but not "scripts".
bool names_tag(const char* at, const char* end, std::string_view lower) noexcept {
  if (!begins_with(at, end, lower)) return false;
  at += lower.size();
  return at != end && is(kTagNameEnd, *at);
}

bool is_end_tag_of(const char* less_than, const char* end, std::string_view name) noexcept {
  return end - less_than > 2 && less_than[1] == '/' && names_tag(less_than + 2, end, name);
}

// The next '<' followed by a letter, '!', '?' or '/' and one more character.
const char* find_markup(const char* at, const char* end) noexcept {
  for (; (at = find('<', at, end)) != end; ++at) {
    if (end - at < 2) return end;
    const char next = at[1];
    if (is(kLetter, next) || next == '!' || next == '?') return at;
    if (next == '/' && end - at > 2) return at;
  }
  return end;
}

// `open` is at the first dash of "<!--".
const char* behind_comment(const char* open, const char* end) noexcept {
  const char* const body = open + 2;
  for (const char* at = body; (at = find('>', at, end)) != end; ++at) {
    if (at[-1] == '-' && at[-2] == '-') return at + 1;
    if (at - body >= 3 && at[-1] == '!' && at[-2] == '-' && at[-3] == '-') return at + 1;
  }
  return end;
}

const char* find_end_tag(const char* at, const char* end, std::string_view name) noexcept {
  for (; (at = find('<', at, end)) != end; ++at) {
    if (is_end_tag_of(at, end, name)) return at;
  }
  return end;
}

// In a script: after the "-->" that ends an escaped part, or at a tag (`found`) in it.
struct ScriptStop {
  const char* at;
  bool at_tag;
};

ScriptStop find_in_escaped(const char* at, const char* end) noexcept {
  for (; at != end; ++at) {
    if (*at == '<') return {at, true};
    if (*at == '-' && begins_with_exactly(at, end, "-->")) return {at + 3, false};
  }
  return {end, false};
}

// From after "<script>" in an escaped part to where </script> or --> ends the doubly escaped one.
const char* behind_double_escaped(const char* at, const char* end) noexcept {
  for (;;) {
    const ScriptStop stop = find_in_escaped(at, end);
    if (!stop.at_tag) return stop.at == end ? end : stop.at - 3;  // the caller sees the --> too
    if (is_end_tag_of(stop.at, end, "script")) return stop.at + 9;
    at = stop.at + 1;
  }
}

// `at` is at the first dash of "<!--". Where the script (`at_tag`) or the escaped part ends.
ScriptStop skip_escaped(const char* at, const char* end) noexcept {
  for (;;) {
    const ScriptStop stop = find_in_escaped(at, end);
    if (!stop.at_tag || is_end_tag_of(stop.at, end, "script")) return stop;
    at = stop.at + 1;
    if (names_tag(at, end, "script")) at = behind_double_escaped(at + 7, end);
  }
}

const char* find_script_end(const char* at, const char* end) noexcept {
  while ((at = find('<', at, end)) != end) {
    if (is_end_tag_of(at, end, "script")) return at;
    if (!begins_with_exactly(at, end, "<!--")) {
      ++at;
      continue;
    }
    const ScriptStop stop = skip_escaped(at + 2, end);
    if (stop.at_tag) return stop.at;
    at = stop.at;
  }
  return end;
}

bool shows_text(HtmlTag owner) noexcept {
  return owner == HtmlTag::Title || owner == HtmlTag::Textarea || owner == HtmlTag::Xmp ||
         owner == HtmlTag::Plaintext;
}

}  // namespace

void HtmlTokenizer::begin(std::string_view page, const HtmlTagSet& wanted, Emit emit) {
  at_ = page.data();
  end_ = page.data() + page.size();
  wanted_ = wanted;
  emit_ = emit;
  content_ = HtmlContent::Markup;
  foreign_.clear();
}

HtmlToken HtmlTokenizer::next() {
  while (at_ != end_) {
    if (content_ != HtmlContent::Markup) {
      if (take_contents()) return HtmlToken::Text;
      continue;
    }
    const char* const less_than = find_markup(at_, end_);
    if (less_than != at_ && emit_ == Emit::Everything) {
      set_text(at_, less_than, true);
      at_ = less_than;
      return HtmlToken::Text;
    }
    at_ = less_than;
    if (at_ != end_ && take_markup()) return token_;
  }
  return HtmlToken::End;
}

void HtmlTokenizer::set_text(const char* start, const char* stop, bool has_references) noexcept {
  text_ = {start, static_cast<std::size_t>(stop - start)};
  text_has_references_ = has_references;
  text_owner_ = HtmlTag::Unknown;
}

bool HtmlTokenizer::take_markup() {
  const char* const behind = at_ + 1;
  if (is(kLetter, *behind)) return take_start_tag(behind);
  if (*behind == '!') return take_declaration(behind + 1);
  if (*behind == '/' && is(kLetter, behind[1])) return take_end_tag(behind + 1);
  at_ = behind_greater_than(behind, end_);  // bogus: <?...> </ ...> </>
  return false;
}

bool HtmlTokenizer::take_declaration(const char* at) {
  if (begins_with_exactly(at, end_, "--")) {
    at_ = behind_comment(at, end_);
    return false;
  }
  if (foreign_.allows_cdata() && begins_with_exactly(at, end_, "[CDATA["))
    return take_cdata(at + 7);
  at_ = behind_greater_than(at, end_);
  return false;
}

bool HtmlTokenizer::take_cdata(const char* start) {
  const std::string_view rest(start, static_cast<std::size_t>(end_ - start));
  const std::size_t size = std::min(rest.find("]]>"), rest.size());
  at_ = start + std::min(size + 3, rest.size());
  set_text(start, start + size, false);
  token_ = HtmlToken::Text;
  return emit_ == Emit::Everything && size > 0;
}

bool HtmlTokenizer::take_start_tag(const char* name) {
  const char* const name_end = skip_until(kTagNameEnd, name + 1, end_);
  const auto name_size = static_cast<std::size_t>(name_end - name);
  tag_ = html_tag(name, name_size, static_cast<std::size_t>(end_ - name));
  const bool is_wanted = wanted_.has(tag_);
  if (!take_attributes(name_end, is_wanted || foreign_.active())) return false;
  is_html_ = true;
  if (foreign_.active() || tag_ == HtmlTag::Svg || tag_ == HtmlTag::Math) {
    enter_foreign({name, name_size});
  }
  if (is_html_) {
    content_ = traits_of(tag_).content;
    content_owner_ = tag_;
  }
  token_ = HtmlToken::StartTag;
  return is_wanted || emit_ == Emit::Everything;
}

void HtmlTokenizer::enter_foreign(std::string_view name) {
  const bool ends_foreign =
      traits_of(tag_).ends_foreign ||
      (tag_ == HtmlTag::Font &&
       (has(HtmlAttribute::Color) || has(HtmlAttribute::Face) || has(HtmlAttribute::Size)));
  is_html_ = foreign_.start({tag_, name, self_closing_, ends_foreign, is_html_type()});
}

bool HtmlTokenizer::is_html_type() const {
  if (tag_ != HtmlTag::AnnotationXml || !has(HtmlAttribute::Encoding)) return false;
  std::string buffer;
  const std::string_view type = value(HtmlAttribute::Encoding, buffer);
  const auto equals = [&](std::string_view wanted) {
    return type.size() == wanted.size() &&
           begins_with(type.data(), type.data() + type.size(), wanted);
  };
  return equals("text/html") || equals("application/xhtml+xml");
}

bool HtmlTokenizer::take_end_tag(const char* name) {
  const char* const name_end = skip_until(kTagNameEnd, name + 1, end_);
  if (!take_attributes(name_end, false)) return false;
  if (emit_ == Emit::Wanted && !foreign_.active()) return false;
  const auto name_size = static_cast<std::size_t>(name_end - name);
  tag_ = html_tag(name, name_size, static_cast<std::size_t>(end_ - name));
  if (foreign_.active()) foreign_.end(tag_, {name, name_size});
  token_ = HtmlToken::EndTag;
  return emit_ == Emit::Everything;
}

// From the end of a tag's name to after its '>'; false, and at the end, if there is none.
bool HtmlTokenizer::take_attributes(const char* at, bool record) {
  self_closing_ = false;
  present_ = 0;
  for (;;) {
    at = skip_spaces(at, end_);
    if (at == end_) break;
    if (*at == '>') {
      at_ = at + 1;
      return true;
    }
    if (*at == '/') {
      ++at;
      self_closing_ = at != end_ && *at == '>';
      continue;
    }
    at = take_attribute(at, record);
  }
  at_ = end_;
  return false;
}

// `name` is at the first character of an attribute's name, which may be anything, even '='.
const char* HtmlTokenizer::take_attribute(const char* name, bool record) {
  const char* const name_end = skip_until(kAttributeNameEnd, name + 1, end_);
  const char* at = skip_spaces(name_end, end_);
  std::string_view value;
  if (at != end_ && *at == '=') {
    at = skip_spaces(at + 1, end_);
    if (at == end_) return end_;
    if (*at == '"' || *at == '\'') {
      const char* const close = find(*at, at + 1, end_);
      if (close == end_) return end_;
      value = {at + 1, static_cast<std::size_t>(close - at - 1)};
      at = close + 1;
    } else {
      const char* const stop = skip_until(kUnquotedEnd, at, end_);
      value = {at, static_cast<std::size_t>(stop - at)};
      at = stop;
    }
  }
  if (record) {
    keep(html_attribute(name, static_cast<std::size_t>(name_end - name),
                        static_cast<std::size_t>(end_ - name)),
         value);
  }
  return at;
}

void HtmlTokenizer::keep(HtmlAttribute name, std::string_view value) noexcept {
  if (name == HtmlAttribute::Unknown || has(name)) return;
  present_ |= std::uint64_t{1} << static_cast<unsigned>(name);
  unsigned classes = 0;
  for (const char c : value) classes |= kClasses[static_cast<unsigned char>(c)];
  values_[static_cast<std::size_t>(name)] = {value, (classes & kDecode) != 0,
                                             (classes & kNotAscii) == 0};
}

std::string_view HtmlTokenizer::value(HtmlAttribute name, std::string& buffer) const {
  if (!needs_decoding(name)) return raw_value(name);
  buffer.clear();
  append_attribute_value(raw_value(name), buffer);
  return buffer;
}

const char* HtmlTokenizer::contents_end() const noexcept {
  switch (content_) {
    case HtmlContent::Script:
      return find_script_end(at_, end_);
    case HtmlContent::Plaintext:
      return end_;
    default:
      return find_end_tag(at_, end_, to_string(content_owner_));
  }
}

// Skips contents that are not markup; true if they are text to be emitted.
bool HtmlTokenizer::take_contents() {
  const char* const start = at_;
  at_ = contents_end();
  set_text(start, at_, content_ == HtmlContent::Rcdata);
  text_owner_ = content_owner_;
  content_ = HtmlContent::Markup;
  if (at_ == start) return false;
  return emit_ == Emit::Everything ? shows_text(text_owner_) : text_owner_ == HtmlTag::Title;
}

}  // namespace webstrata
