// SPDX-License-Identifier: Apache-2.0

// The tags and attributes of HTML that matter for links, text or tokenisation, as small numbers.

#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace webstrata {

// Unknown means every tag that is not listed here. The order is that of the table in
// html_names.cpp.
// clang-format off
enum class HtmlTag : std::uint8_t {
  Unknown,
  // They carry references.
  A, Area, Audio, Base, Body, Button, Embed, Form, Frame, Iframe, Image, Img, Input, Link,
  Meta, Object, Script, Source, Td, Th, Table, Track, Use, Video,
  // Their contents are not markup.
  Noembed, Noframes, Plaintext, Style, Textarea, Title, Xmp,
  // Foreign content and the ways back from it.
  Svg, Math, AnnotationXml, Desc, ForeignObject, Malignmark, Mglyph, Mi, Mn, Mo, Ms, Mtext,
  // HTML elements that end foreign content.
  B, Big, Blockquote, Br, Center, Code, Dd, Div, Dl, Dt, Em, Font, H1, H2, H3, H4, H5, H6, Head, Hr,
  I, Li, Listing, Menu, Nobr, Ol, P, Pre, Ruby, S, Small, Span, Strike, Strong, Sub, Sup, Tt, U, Ul,
  Var,
  // Others that flow inside a line of text.
  Abbr, Acronym, Bdi, Bdo, Cite, Data, Del, Dfn, Ins, Kbd, Label, Mark, Q, Rb, Rp, Rt, Samp, TimeTag,
  Wbr,
  // Others that have no contents.
  Basefont, Bgsound, Col, Keygen, Param,
  // Others that pages leave open around foreign content.
  Address, Article, Aside, Caption, Details, Dir, Fieldset, Figcaption, Figure, Footer, Header, Html,
  Main, Nav, Option, Section, Select, Summary, Tbody, Tfoot, Thead, Tr,
  Count
};

// clang-format on

// A set of tags.
class HtmlTagSet {
 public:
  constexpr HtmlTagSet() = default;
  constexpr HtmlTagSet(std::initializer_list<HtmlTag> tags) {
    for (const HtmlTag tag : tags) insert(tag);
  }
  constexpr void insert(HtmlTag tag) { has_[static_cast<std::size_t>(tag)] = true; }
  [[nodiscard]] constexpr bool has(HtmlTag tag) const noexcept {
    return has_[static_cast<std::size_t>(tag)];
  }

 private:
  std::array<bool, static_cast<std::size_t>(HtmlTag::Count)> has_{};
};

// What the tokenizer does after a start tag.
enum class HtmlContent : std::uint8_t { Markup, Rcdata, RawText, Script, Plaintext };

struct HtmlTagTraits {
  HtmlContent content = HtmlContent::Markup;
  bool is_void = false;       // never has an end tag
  bool ends_foreign = false;  // its start tag leaves svg and math
  bool is_inline = false;     // does not separate the words around it
};

// clang-format off
enum class HtmlAttribute : std::uint8_t {
  Unknown,
  Action, Alt, Background, Color, Content, Data, Encoding, Face, Formaction, Href, HttpEquiv,
  Imagesrcset, Longdesc, Poster, Rel, Size, Src, Srcset, Type, XlinkHref,
  Count
};

// clang-format on

// `name` in any case. Unknown if it is not listed above.
HtmlTag html_tag(std::string_view name) noexcept;
HtmlAttribute html_attribute(std::string_view name) noexcept;
// Lower case; empty for Unknown.
std::string_view to_string(HtmlTag tag) noexcept;
std::string_view to_string(HtmlAttribute attribute) noexcept;
const HtmlTagTraits& traits_of(HtmlTag tag) noexcept;

// The same look-ups for the tokenizer's inner loop: `readable` bytes may be read from `name` on,
// `size` of which are the name.
HtmlTag html_tag(const char* name, std::size_t size, std::size_t readable) noexcept;
HtmlAttribute html_attribute(const char* name, std::size_t size, std::size_t readable) noexcept;

}  // namespace webstrata
