// SPDX-License-Identifier: Apache-2.0

// The tags of an HTML page, as the WHATWG standard splits them, and on request the text between
// them.
//
//   HtmlTokenizer tokenizer;
//   tokenizer.begin(page, {HtmlTag::A});
//   while (tokenizer.next() != HtmlToken::End) {
//     if (tokenizer.has(HtmlAttribute::Href)) use(tokenizer.value(HtmlAttribute::Href, buffer));
//   }
//
// No tree is built: what a browser's tree construction drops (an <a> inside a <select>) or clones
// (an <a> that spans table cells) is emitted once, where it is written. Scripting is treated as
// off, so <noscript> contains markup. The page is UTF-8 or any other superset of ASCII; bytes above
// 0x7f are never examined.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "webstrata/capture/html/html_foreign.h"
#include "webstrata/capture/html/html_names.h"

namespace webstrata {

enum class HtmlToken : std::uint8_t { End, StartTag, EndTag, Text };

class HtmlTokenizer {
 public:
  enum class Emit : std::uint8_t {
    Wanted,      // start tags of the wanted set and the content of <title>: the fast way
    Everything,  // every start tag, end tag and run of text that is not script, style or the like
  };

  // `page` must live as long as its tokens are used. Attributes are kept of wanted tags only.
  void begin(std::string_view page, const HtmlTagSet& wanted, Emit emit = Emit::Wanted);
  HtmlToken next();

  // Of a start or end tag.
  [[nodiscard]] HtmlTag tag() const noexcept { return tag_; }
  // Of a start tag: whether it is an HTML element, not one of svg or math; and whether it ends in
  // "/>", which has a meaning only in those.
  [[nodiscard]] bool is_html() const noexcept { return is_html_; }
  [[nodiscard]] bool is_self_closing() const noexcept { return self_closing_; }
  // Attributes of start tags; the first of a name counts. value() is decoded into `buffer` only
  // if it must be; otherwise it points into the page.
  [[nodiscard]] bool has(HtmlAttribute name) const noexcept {
    return (present_ >> static_cast<unsigned>(name) & 1) != 0;
  }
  std::string_view value(HtmlAttribute name, std::string& buffer) const;
  // As the page writes it, and whether value() would differ from that.
  [[nodiscard]] std::string_view raw_value(HtmlAttribute name) const noexcept {
    return values_[static_cast<std::size_t>(name)].raw;
  }
  [[nodiscard]] bool needs_decoding(HtmlAttribute name) const noexcept {
    return values_[static_cast<std::size_t>(name)].needs_decoding;
  }
  [[nodiscard]] bool is_ascii(HtmlAttribute name) const noexcept {
    return values_[static_cast<std::size_t>(name)].is_ascii;
  }

  // Of a run of text: as the page writes it, and whether character references are decoded in it
  // (they do not in <xmp>, <plaintext> and CDATA sections).
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] bool text_has_references() const noexcept { return text_has_references_; }
  // The element that a run of text belongs to, if its contents are not markup: Title, Textarea,
  // Xmp, Plaintext; else Unknown.
  [[nodiscard]] HtmlTag text_owner() const noexcept { return text_owner_; }

 private:
  struct Value {
    std::string_view raw;
    bool needs_decoding = false;
    bool is_ascii = true;
  };

  bool take_markup();
  bool take_start_tag(const char* name);
  bool take_end_tag(const char* name);
  bool take_declaration(const char* at);
  bool take_cdata(const char* start);
  bool take_attributes(const char* at, bool record);
  const char* take_attribute(const char* name, bool record);
  void keep(HtmlAttribute name, std::string_view value) noexcept;
  void enter_foreign(std::string_view name);
  [[nodiscard]] bool is_html_type() const;
  [[nodiscard]] const char* contents_end() const noexcept;
  bool take_contents();
  void set_text(const char* start, const char* stop, bool has_references) noexcept;

  const char* at_ = nullptr;
  const char* end_ = nullptr;
  Emit emit_ = Emit::Wanted;
  HtmlTagSet wanted_;

  HtmlToken token_ = HtmlToken::End;
  HtmlTag tag_ = HtmlTag::Unknown;
  bool is_html_ = true;
  bool self_closing_ = false;
  std::uint64_t present_ = 0;
  std::array<Value, static_cast<std::size_t>(HtmlAttribute::Count)> values_;

  HtmlContent content_ = HtmlContent::Markup;  // of what comes next
  HtmlTag content_owner_ = HtmlTag::Unknown;

  std::string_view text_;
  bool text_has_references_ = false;
  HtmlTag text_owner_ = HtmlTag::Unknown;

  HtmlForeignContent foreign_;
};

}  // namespace webstrata
