// SPDX-License-Identifier: Apache-2.0

// Which attributes of which elements are references follows the HTML standard's index of
// attributes, and for svg the SVG 2 chapter on linking.
// Tested by tests/capture/html_links_test.cpp and html_differential_test.py.

#include "webstrata/capture/html/html_references.h"

#include "webstrata/base/utf8.h"
#include "webstrata/capture/html/html_values.h"

namespace webstrata {
namespace {

constexpr std::size_t kAnchorTextMax = 1000;  // characters

bool asks_for_text(const ReadOptions& options) noexcept {
  return options.with_anchor_text || options.with_context || options.with_text;
}

// Only tags whose references are wanted are examined.
HtmlTagSet tags_for(const ReadOptions& options, bool wants_text) {
  HtmlTagSet tags = {HtmlTag::Base};
  const auto insert = [&](LinkKinds kinds, std::initializer_list<HtmlTag> more) {
    if (!kinds.intersects(options.kinds)) return;
    for (const HtmlTag tag : more) tags.insert(tag);
  };
  insert(LinkKind::Navigation, {HtmlTag::Frame});
  insert(LinkKind::Navigation | LinkKind::Nofollow, {HtmlTag::A, HtmlTag::Area});
  insert(LinkKind::Navigation | LinkKind::Refresh, {HtmlTag::Meta});
  insert(LinkKind::Form, {HtmlTag::Form, HtmlTag::Button, HtmlTag::Input});
  insert(LinkKind::Relation, {HtmlTag::Link, HtmlTag::Img, HtmlTag::Frame, HtmlTag::Iframe});
  insert(LinkKind::Embed, {HtmlTag::Audio, HtmlTag::Body, HtmlTag::Embed, HtmlTag::Iframe,
                           HtmlTag::Image, HtmlTag::Img, HtmlTag::Input, HtmlTag::Link,
                           HtmlTag::Object, HtmlTag::Script, HtmlTag::Source, HtmlTag::Table,
                           HtmlTag::Td, HtmlTag::Th, HtmlTag::Track, HtmlTag::Use, HtmlTag::Video});
  if (wants_text) {
    tags.insert(HtmlTag::A);
    tags.insert(HtmlTag::Img);
  }
  return tags;
}

bool is_word(std::string_view value, std::string_view word) noexcept {
  return value.size() == word.size() && has_word(value, word);
}

}  // namespace

HtmlReferences::HtmlReferences(const ReadOptions& options)
    : options_(options),
      wanted_(tags_for(options, asks_for_text(options))),
      wants_text_(asks_for_text(options)) {}

void HtmlReferences::read(std::string_view page, bool is_checked) {
  is_checked_ = is_checked;
  found_.clear();
  kept_.clear();
  base_.reset();
  has_refresh_ = false;
  title_.clear();
  has_title_ = false;
  text_.clear();
  anchor_.reset();
  hidden_ = HtmlTag::Unknown;
  tokenizer_.begin(page, wanted_,
                   wants_text_ ? HtmlTokenizer::Emit::Everything : HtmlTokenizer::Emit::Wanted);
  for (;;) {
    const HtmlToken token = tokenizer_.next();
    if (token == HtmlToken::End) break;
    if (token == HtmlToken::Text) {
      take_text();
      continue;
    }
    const HtmlTag tag = tokenizer_.tag();
    if (wants_text_ && !traits_of(tag).is_inline) text_.part();
    if (token == HtmlToken::StartTag) {
      take_start_tag();
    } else {
      if (tag == HtmlTag::A) end_anchor();
      if (tag == hidden_) hidden_ = HtmlTag::Unknown;
    }
  }
  end_anchor();
}

void HtmlReferences::take_text() {
  const std::string_view raw = tokenizer_.text();
  if (tokenizer_.text_owner() != HtmlTag::Title) {
    if (hidden_ == HtmlTag::Unknown) text_.append(raw, tokenizer_.text_has_references());
  } else if (options_.with_title && !has_title_) {
    has_title_ = true;
    title_.append(view(is_checked_ || is_utf8(raw) ? Piece{raw.data(), 0, raw.size()} : keep(raw)),
                  tokenizer_.text_has_references());
  }
}

void HtmlReferences::take_start_tag() {
  const HtmlTag tag = tokenizer_.tag();
  if ((tag == HtmlTag::Style || tag == HtmlTag::Script) && !tokenizer_.is_html() &&
      !tokenizer_.is_self_closing()) {
    hidden_ = tag;
  }
  if (wanted_.has(tag)) take_references(tag);
}

void HtmlReferences::take_references(HtmlTag tag) {
  switch (tag) {
    case HtmlTag::A:
      return take_anchor();
    case HtmlTag::Area:
      return take_area();
    case HtmlTag::Base:
      return take_base();
    case HtmlTag::Meta:
      return take_meta();
    case HtmlTag::Link:
      return take_link();
    case HtmlTag::Input:
      return take_input();
    case HtmlTag::Form: {
      const LinkKinds nofollow = kinds_of_anchor(decoded(HtmlAttribute::Rel));
      return add(HtmlAttribute::Action, LinkKind::Form | nofollow);
    }
    case HtmlTag::Button:
      return add(HtmlAttribute::Formaction, LinkKind::Form);
    case HtmlTag::Frame:
      add(HtmlAttribute::Src, LinkKind::Navigation);
      return add(HtmlAttribute::Longdesc, LinkKind::Relation);
    case HtmlTag::Img:
      if (anchor_ && tokenizer_.has(HtmlAttribute::Alt)) {
        alternative_.part();
        alternative_.append(decoded(HtmlAttribute::Alt), false);
      }
      [[fallthrough]];
    case HtmlTag::Iframe:
    case HtmlTag::Image:
      add_loaded(HtmlAttribute::Src);
      add_srcset(HtmlAttribute::Srcset);
      if (!tokenizer_.is_html()) add_svg_reference(LinkKind::Embed);
      return add(HtmlAttribute::Longdesc, LinkKind::Relation);
    case HtmlTag::Object:
      return add_loaded(HtmlAttribute::Data);
    case HtmlTag::Body:
    case HtmlTag::Table:
    case HtmlTag::Td:
    case HtmlTag::Th:
      return add_loaded(HtmlAttribute::Background);
    case HtmlTag::Use:
      return add_svg_reference(LinkKind::Embed);
    default:  // script, embed, source, video, audio, track
      add_loaded(HtmlAttribute::Src);
      add_srcset(HtmlAttribute::Srcset);
      add_loaded(HtmlAttribute::Poster);
      if (!tokenizer_.is_html()) add_svg_reference(LinkKind::Embed);
  }
}

void HtmlReferences::take_anchor() {
  end_anchor();  // anchors do not nest
  const std::size_t before = found_.size();
  const LinkKinds kinds = LinkKind::Navigation | kinds_of_anchor(decoded(HtmlAttribute::Rel));
  if (tokenizer_.has(HtmlAttribute::Href)) {
    add(HtmlAttribute::Href, kinds);
  } else if (!tokenizer_.is_html()) {
    add(HtmlAttribute::XlinkHref, kinds);
  }
  if (!wants_text_ || found_.size() == before) return;
  anchor_ = before;
  alternative_.clear();
  found_[before].has_text = true;
  found_[before].text_start = text_.size();
}

void HtmlReferences::end_anchor() {
  if (!anchor_) return;
  Found& found = found_[*anchor_];
  found.text_end = text_.size();
  if (alternative_.size() > 0) found.alternative = keep(alternative_.text());
  anchor_.reset();
}

void HtmlReferences::take_area() {
  const std::size_t before = found_.size();
  add(HtmlAttribute::Href, LinkKind::Navigation | kinds_of_anchor(decoded(HtmlAttribute::Rel)));
  if (!wants_text_ || found_.size() == before) return;
  Found& found = found_[before];
  found.has_text = true;
  found.text_start = found.text_end = text_.size();
  if (tokenizer_.has(HtmlAttribute::Alt)) {
    alternative_.clear();
    alternative_.append(decoded(HtmlAttribute::Alt), false);
    found.alternative = keep(alternative_.text());
  }
}

void HtmlReferences::take_base() {
  if (base_ || !tokenizer_.is_html() || !tokenizer_.has(HtmlAttribute::Href)) return;
  base_ = keep_value(HtmlAttribute::Href);
}

void HtmlReferences::take_link() {
  const LinkKinds kinds = kinds_of_relation(decoded(HtmlAttribute::Rel));
  if (kinds.has(LinkKind::Embed)) {
    add_loaded(HtmlAttribute::Href);
  } else {
    add(HtmlAttribute::Href, kinds);
  }
  add_srcset(HtmlAttribute::Imagesrcset);
}

void HtmlReferences::take_input() {
  if (is_word(decoded(HtmlAttribute::Type), "image")) add_loaded(HtmlAttribute::Src);
  add(HtmlAttribute::Formaction, LinkKind::Form);
}

void HtmlReferences::take_meta() {
  if (has_refresh_ || !is_word(decoded(HtmlAttribute::HttpEquiv), "refresh")) return;
  const auto target = parse_refresh(decoded(HtmlAttribute::Content));
  if (!target) return;
  has_refresh_ = true;
  push(keep(*target), LinkKind::Refresh | LinkKind::Navigation);
}

void HtmlReferences::push(const Piece& value, LinkKinds kinds) {
  Found& found = found_.emplace_back();
  found.value = value;
  found.kinds = kinds;
}

void HtmlReferences::add(HtmlAttribute name, LinkKinds kinds) {
  if (!tokenizer_.has(name) || !kinds.intersects(options_.kinds)) return;
  push(keep_value(name), kinds);
}

// An empty reference loads nothing.
void HtmlReferences::add_loaded(HtmlAttribute name) {
  if (tokenizer_.has(name) && !tokenizer_.raw_value(name).empty()) add(name, LinkKind::Embed);
}

void HtmlReferences::add_srcset(HtmlAttribute name) {
  if (!tokenizer_.has(name) || !LinkKinds(LinkKind::Embed).intersects(options_.kinds)) return;
  candidates_.clear();
  parse_srcset(decoded(name), candidates_);
  for (const std::string_view url : candidates_) push(keep(url), LinkKind::Embed);
}

// href, or xlink:href before SVG 2; most of them point to the page itself.
void HtmlReferences::add_svg_reference(LinkKinds kinds) {
  const HtmlAttribute name =
      tokenizer_.has(HtmlAttribute::Href) ? HtmlAttribute::Href : HtmlAttribute::XlinkHref;
  if (tokenizer_.has(name) && !tokenizer_.raw_value(name).starts_with('#')) add(name, kinds);
}

// Repairs what is not UTF-8.
HtmlReferences::Piece HtmlReferences::keep(std::string_view text) {
  const std::size_t offset = kept_.size();
  if (is_checked_ || is_utf8(text)) {
    kept_.append(text);
  } else {
    while (!text.empty()) append_utf8(kept_, take_utf8(text));
  }
  return {nullptr, offset, kept_.size() - offset};
}

HtmlReferences::Piece HtmlReferences::keep_value(HtmlAttribute name) {
  const std::string_view raw = tokenizer_.raw_value(name);
  const bool is_sound = is_checked_ || tokenizer_.is_ascii(name);
  if (is_sound && !tokenizer_.needs_decoding(name)) return {raw.data(), 0, raw.size()};
  return keep(tokenizer_.value(name, buffer_));
}

std::string_view HtmlReferences::view(const Piece& piece) const noexcept {
  return {piece.start != nullptr ? piece.start : kept_.data() + piece.offset, piece.size};
}

// Empty if the attribute is missing; lives until the next call.
std::string_view HtmlReferences::decoded(HtmlAttribute name) {
  if (!tokenizer_.has(name)) return {};
  return tokenizer_.value(name, buffer_);
}

std::string_view HtmlReferences::anchor_text(const Found& found) const noexcept {
  std::string_view text = text_.text();
  text = trim_spaces(text.substr(found.text_start, found.text_end - found.text_start));
  return first_characters(text.empty() ? view(found.alternative) : text, kAnchorTextMax);
}

// A word that the edge of the window cuts is left out: "Cambridge" must not become a bridge.
std::string_view HtmlReferences::window(const Found& found) const noexcept {
  const std::string_view text = text_.text();
  if (options_.link_window == LinkWindow::Anchor) return anchor_text(found);
  const auto before =
      last_characters(trim_spaces(text.substr(0, found.text_start)), options_.context_chars);
  const auto behind =
      first_characters(trim_spaces(text.substr(found.text_end)), options_.context_chars);
  const auto place = [&](std::string_view part) {
    return static_cast<std::size_t>(part.data() - text.data());
  };
  std::size_t start = before.empty() ? found.text_start : place(before);
  std::size_t end = behind.empty() ? found.text_end : place(behind) + behind.size();
  if (start > 0 && !before.empty()) {
    while (start < found.text_start && text[start - 1] != ' ') ++start;
  }
  if (end < text.size() && !behind.empty()) {
    while (end > found.text_end && text[end] != ' ') --end;
  }
  return text.substr(start, end - start);
}

HtmlReferences::Reference HtmlReferences::operator[](std::size_t position) const {
  const Found& found = found_[position];
  Reference reference{view(found.value), found.kinds, {}, {}, {}};
  if (!found.has_text) return reference;
  if (options_.with_anchor_text) reference.text = anchor_text(found);
  if (options_.keywords != nullptr) reference.window = window(found);
  if (options_.with_context) {
    const std::string_view text = text_.text();
    const auto before = trim_spaces(
        last_characters(trim_spaces(text.substr(0, found.text_start)), options_.context_chars));
    const auto behind = trim_spaces(
        first_characters(trim_spaces(text.substr(found.text_end)), options_.context_chars));
    context_.assign(before);
    if (!before.empty() && !behind.empty()) context_.push_back(' ');
    context_.append(behind);
    reference.context = context_;
  }
  return reference;
}

std::optional<std::string_view> HtmlReferences::base() const {
  if (!base_) return std::nullopt;
  return view(*base_);
}

}  // namespace webstrata
