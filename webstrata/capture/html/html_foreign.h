// SPDX-License-Identifier: Apache-2.0

// Which elements of svg and math are open: inside them <title>, <style> and <script> are ordinary
// markup and CDATA sections exist.
//
// Only the elements from the outermost <svg> or <math> on are kept; outside there is nothing to
// remember, and most pages never need it. The content of an integration point (foreignObject, desc,
// title; mi, mo, mn, ms, mtext; annotation-xml of an HTML type) is HTML again.

#pragma once

#include <string_view>
#include <vector>

#include "webstrata/capture/html/html_names.h"

namespace webstrata {

class HtmlForeignContent {
 public:
  struct StartTag {
    HtmlTag tag = HtmlTag::Unknown;
    std::string_view name;  // as written
    bool self_closing = false;
    bool ends_foreign = false;  // by its name, or a <font> with color, face or size
    bool is_html_type = false;  // encoding="text/html" or "application/xhtml+xml"
  };

  // `name`s must live until clear().
  void clear() noexcept { open_.clear(); }
  // False: no <svg> or <math> is open.
  [[nodiscard]] bool active() const noexcept { return !open_.empty(); }
  [[nodiscard]] bool allows_cdata() const noexcept {
    return active() && open_.back().space != Space::Html;
  }

  // Returns true if the tag begins an HTML element, false if a foreign one.
  bool start(const StartTag& tag);
  void end(HtmlTag tag, std::string_view name);

 private:
  enum class Space : std::uint8_t { Html, Svg, Math };
  struct Element {
    HtmlTag tag = HtmlTag::Unknown;
    std::string_view name;
    Space space = Space::Html;
    bool holds_html = false;       // an HTML integration point
    bool holds_math_text = false;  // a MathML text integration point
  };

  [[nodiscard]] static bool is_annotation(const Element& element) noexcept;
  [[nodiscard]] bool follows_html_rules(HtmlTag tag) const noexcept;
  void leave_foreign();
  bool start_html(const StartTag& tag);
  void start_foreign(const StartTag& tag, Space space);
  void end_html(HtmlTag tag, std::string_view name);

  std::vector<Element> open_;
};

}  // namespace webstrata
