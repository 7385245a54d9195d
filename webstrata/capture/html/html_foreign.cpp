// SPDX-License-Identifier: Apache-2.0

// A narrow copy of the standard's tree construction ("13.2.6 Tree construction", the dispatcher
// and "13.2.6.5 The rules for parsing tokens in foreign content"). It deviates in two ways, both
// only for broken pages: end tags that HTML implies inside an integration point are not inferred,
// and an end tag of an HTML element that matches nothing here is assumed to belong to an element
// opened outside, which it ends together with the svg or math left open in it.
// Tested by tests/capture/html_tokenizer_test.cpp and html_differential_test.py.

#include "webstrata/capture/html/html_foreign.h"

#include <algorithm>

#include "webstrata/base/text.h"

namespace webstrata {
namespace {

constexpr std::size_t kOpenMax = 512;  // deeper nesting is not followed; end tags search it all

bool is_math_text_point(HtmlTag tag) noexcept {
  return tag == HtmlTag::Mi || tag == HtmlTag::Mo || tag == HtmlTag::Mn || tag == HtmlTag::Ms ||
         tag == HtmlTag::Mtext;
}

bool is_svg_point(HtmlTag tag) noexcept {
  return tag == HtmlTag::ForeignObject || tag == HtmlTag::Desc || tag == HtmlTag::Title;
}

// Ending the page does not end the elements that are still open in it.
bool ends_outer_elements(HtmlTag tag) noexcept {
  return tag != HtmlTag::Unknown && tag != HtmlTag::Body && tag != HtmlTag::Html &&
         tag != HtmlTag::Head && !traits_of(tag).is_void &&
         !(tag >= HtmlTag::Svg && tag <= HtmlTag::Mtext);
}

}  // namespace

bool HtmlForeignContent::start(const StartTag& tag) {
  if (!active()) return start_html(tag);
  if (follows_html_rules(tag.tag)) return start_html(tag);
  if (tag.ends_foreign) {
    leave_foreign();
    return start_html(tag);
  }
  start_foreign(tag, open_.back().space);
  return false;
}

bool HtmlForeignContent::follows_html_rules(HtmlTag tag) const noexcept {
  const Element& current = open_.back();
  if (current.space == Space::Html || current.holds_html) return true;
  if (current.holds_math_text) return tag != HtmlTag::Mglyph && tag != HtmlTag::Malignmark;
  return is_annotation(current) && tag == HtmlTag::Svg;
}

// Whatever its type, end tags of HTML elements do not reach out of it.
bool HtmlForeignContent::is_annotation(const Element& element) noexcept {
  return element.tag == HtmlTag::AnnotationXml && element.space == Space::Math;
}

void HtmlForeignContent::leave_foreign() {
  while (active() && open_.back().space != Space::Html && !open_.back().holds_html &&
         !open_.back().holds_math_text) {
    open_.pop_back();
  }
}

bool HtmlForeignContent::start_html(const StartTag& tag) {
  if (tag.tag == HtmlTag::Svg || tag.tag == HtmlTag::Math) {
    start_foreign(tag, tag.tag == HtmlTag::Svg ? Space::Svg : Space::Math);
    return false;
  }
  if (active() && !traits_of(tag.tag).is_void && open_.size() < kOpenMax) {
    open_.push_back({tag.tag, tag.name, Space::Html});
  }
  return true;
}

void HtmlForeignContent::start_foreign(const StartTag& tag, Space space) {
  if (tag.self_closing || open_.size() >= kOpenMax) return;
  const bool is_math = space == Space::Math;
  open_.push_back(
      {tag.tag, tag.name, space,
       is_math ? tag.tag == HtmlTag::AnnotationXml && tag.is_html_type : is_svg_point(tag.tag),
       is_math && is_math_text_point(tag.tag)});
}

void HtmlForeignContent::end(HtmlTag tag, std::string_view name) {
  if (!active()) return;
  if (open_.back().space != Space::Html && (tag == HtmlTag::Br || tag == HtmlTag::P)) {
    leave_foreign();
  }
  // Foreign elements first, from the inside out, as far as the next HTML element.
  for (std::size_t i = open_.size(); i > 0 && open_[i - 1].space != Space::Html; --i) {
    if (equal_ignoring_case(open_[i - 1].name, name)) {
      open_.resize(i - 1);
      return;
    }
  }
  end_html(tag, name);
}

void HtmlForeignContent::end_html(HtmlTag tag, std::string_view name) {
  for (std::size_t i = open_.size(); i > 0; --i) {
    const Element& element = open_[i - 1];
    if (equal_ignoring_case(element.name, name)) {
      open_.resize(i - 1);
      return;
    }
    if (element.holds_html || element.holds_math_text || is_annotation(element)) return;
  }
  if (ends_outer_elements(tag)) open_.clear();
}

}  // namespace webstrata
