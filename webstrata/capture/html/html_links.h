// SPDX-License-Identifier: Apache-2.0

// Links, title and text out of an HTML page.
//
//   HtmlLinkExtractor extractor(options, report);
//   extractor.extract(body, "iso-8859-1", page_url, capture);
//
// The tokenizer (html_tokenizer.h) follows the WHATWG rules; no tree is built. A <base> applies to
// the whole page. Kinds: a, area and frame are Navigation (with Nofollow where rel says so),
// whatever a browser loads by itself is Embed, other <link>s and longdesc are Relation, form
// actions Form, a meta refresh both Refresh and Navigation.
//
// On request an anchor's text is what a reader sees in it, white space folded, or else the alt of
// its images (of an area, its alt), at most 1000 characters. Its context is the visible text around
// it, `context_chars` characters before and as many after, joined by a space, without the anchor
// text itself. References that are not anchors have neither.

#pragma once

#include <memory>
#include <string_view>

#include "webstrata/capture/record/reader.h"
#include "webstrata/facts/sighting.h"
#include "webstrata/url/url.h"

namespace webstrata {

class HtmlLinkExtractor {
 public:
  HtmlLinkExtractor(const ReadOptions& options, Report& report);
  ~HtmlLinkExtractor();

  // Adds the page's links to capture.links and, where the options ask for them, sets title and
  // text. `http_charset` is the charset of the Content-Type header, empty if there is none.
  // Links from the HTTP headers may already be there.
  void extract(std::string_view body, std::string_view http_charset, const Url& page,
               Capture& capture);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace webstrata
