// SPDX-License-Identifier: Apache-2.0

// Charset, references, links: three steps, each with a header of its own.
// Tested by tests/capture/html_links_test.cpp.

#include "webstrata/capture/html/html_links.h"

#include "webstrata/capture/html/charset_converter.h"
#include "webstrata/capture/html/html_references.h"
#include "webstrata/capture/record/link_collector.h"

namespace webstrata {

class HtmlLinkExtractor::Impl {
 public:
  Impl(const ReadOptions& options, Report& report)
      : options_(options), collector_(options, report), references_(options) {}

  void extract(std::string_view body, std::string_view http_charset, const Url& page,
               Capture& capture) {
    const DetectedCharset detected = detect_charset(body, http_charset);
    body.remove_prefix(detected.bom_size);
    read(body, detected);
    collect(detected.charset, page, capture.links);
    if (options_.with_title) capture.title = references_.title();
    if (options_.with_text) capture.text = references_.text();
    capture.text_known = options_.with_text;
  }

 private:
  // Pages declared as UTF-8 are not checked as a whole if only links are wanted.
  void read(std::string_view body, const DetectedCharset& detected) {
    if (detected.charset == Charset::Utf8 && !references_.wants_text()) {
      references_.read(body, detected.is_checked_utf8);
    } else {
      references_.read(converter_.to_utf8(body, detected.charset, page_buffer_), true);
    }
  }

  void collect(Charset charset, const Url& page, LinkSet& links) {
    collector_.begin(page, links);
    if (const auto base = references_.base()) collector_.set_base(in_charset(*base, charset));
    for (std::size_t i = 0; i < references_.size(); ++i) {
      const HtmlReferences::Reference reference = references_[i];
      collector_.add(in_charset(reference.value, charset), reference.kinds, reference.text,
                     reference.context, reference.window);
    }
    collector_.end();
  }

  std::string_view in_charset(std::string_view reference, Charset charset) {
    return converter_.encode_query(reference, charset, query_buffer_);
  }

  const ReadOptions& options_;
  LinkCollector collector_;
  CharsetConverter converter_;
  HtmlReferences references_;
  std::string page_buffer_;
  std::string query_buffer_;
};

HtmlLinkExtractor::HtmlLinkExtractor(const ReadOptions& options, Report& report)
    : impl_(std::make_unique<Impl>(options, report)) {}
HtmlLinkExtractor::~HtmlLinkExtractor() = default;

void HtmlLinkExtractor::extract(std::string_view body, std::string_view http_charset,
                                const Url& page, Capture& capture) {
  impl_->extract(body, http_charset, page, capture);
}

}  // namespace webstrata
