// SPDX-License-Identifier: Apache-2.0

// Every reference of an HTML page, as written (decoded, not resolved), with its kinds.
//
// The layer between the tokenizer, which knows tags, and html_links.h, which makes links. The
// references of a page are gathered before any is resolved, because a <base> applies to the whole
// page, including what precedes it.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/capture/html/html_text.h"
#include "webstrata/capture/html/html_tokenizer.h"
#include "webstrata/capture/record/reader.h"
#include "webstrata/facts/link.h"

namespace webstrata {

class HtmlReferences {
 public:
  struct Reference {
    std::string_view value;
    LinkKinds kinds;
    std::string_view text;     // anchor text or the alt of its images; only if asked for
    std::string_view context;  // only if asked for
    std::string_view window;   // where keywords are counted; only if there are some
  };

  explicit HtmlReferences(const ReadOptions& options);

  // Reads a page in UTF-8 (`is_checked`: known to be well-formed; otherwise values are repaired
  // one by one, and `page` must be well-formed if the options ask for text). `page` must live as
  // long as the references are used.
  void read(std::string_view page, bool is_checked);

  [[nodiscard]] std::size_t size() const noexcept { return found_.size(); }
  // In the order of the page. Views live until the next read().
  [[nodiscard]] Reference operator[](std::size_t position) const;
  // The value of the first <base href>.
  [[nodiscard]] std::optional<std::string_view> base() const;

  // Empty unless the options ask for them.
  [[nodiscard]] const std::string& title() const noexcept { return title_.text(); }
  [[nodiscard]] const std::string& text() const noexcept { return text_.text(); }
  // Whether any option asks for more than links and title.
  [[nodiscard]] bool wants_text() const noexcept { return wants_text_; }

 private:
  // A piece of the page, or of kept_ if it had to be decoded.
  struct Piece {
    const char* start = nullptr;  // null: it is in kept_
    std::size_t offset = 0;
    std::size_t size = 0;
  };
  struct Found {
    Piece value;
    LinkKinds kinds;
    bool has_text = false;       // an anchor: the other fields say where its text is
    std::size_t text_start = 0;  // in text_
    std::size_t text_end = 0;
    Piece alternative;  // the alt of images
  };

  void take_start_tag();
  void take_references(HtmlTag tag);
  void take_anchor();
  void take_area();
  void take_link();
  void take_input();
  void take_meta();
  void take_base();
  void take_text();
  void push(const Piece& value, LinkKinds kinds);
  void add(HtmlAttribute name, LinkKinds kinds);
  void add_loaded(HtmlAttribute name);
  void add_srcset(HtmlAttribute name);
  void add_svg_reference(LinkKinds kinds);
  void end_anchor();
  Piece keep(std::string_view text);
  Piece keep_value(HtmlAttribute name);
  [[nodiscard]] std::string_view view(const Piece& piece) const noexcept;
  [[nodiscard]] std::string_view decoded(HtmlAttribute name);
  [[nodiscard]] std::string_view anchor_text(const Found& found) const noexcept;
  [[nodiscard]] std::string_view window(const Found& found) const noexcept;

  const ReadOptions& options_;
  HtmlTokenizer tokenizer_;
  std::vector<Found> found_;
  std::string kept_;
  std::optional<Piece> base_;
  std::vector<std::string_view> candidates_;  // of a srcset
  std::string buffer_;
  FoldedText title_;
  FoldedText text_;
  FoldedText alternative_;             // alts of the images in the open anchor
  std::optional<std::size_t> anchor_;  // the open one, in found_
  mutable std::string context_;
  HtmlTagSet wanted_;
  HtmlTag hidden_ = HtmlTag::Unknown;  // <style> or <script> of svg that is open
  bool wants_text_ = false;
  bool is_checked_ = false;
  bool has_refresh_ = false;
  bool has_title_ = false;
};

}  // namespace webstrata
