// SPDX-License-Identifier: Apache-2.0

// From an HTTP answer, as an archive stores it, to what it says about its page.

#pragma once

#include <cstdint>
#include <string_view>

#include "webstrata/capture/html/html_links.h"
#include "webstrata/capture/http/content_coding.h"
#include "webstrata/capture/http/http_message.h"
#include "webstrata/capture/record/link_collector.h"
#include "webstrata/capture/record/reader.h"
#include "webstrata/facts/sighting.h"
#include "webstrata/url/url.h"

namespace webstrata {

class HttpCapture {
 public:
  HttpCapture(const ReadOptions& options, Report& report);

  // `block` is the status line, headers and body of an answer from `url`; `offset` is for damage.
  // Sets status, outcome, MIME, redirect and, for a page or a redirect, the links; the digest if it
  // is not set yet. A digest that is set and does not match a complete body is reported as damage
  // and replaced by the right one. False if the block is not an HTTP answer.
  bool take_response(std::string_view block, const Url& url, std::uint64_t offset,
                     Capture& capture);
  // The head of an answer without its body, as in revisit records: status, MIME, redirect.
  bool take_head(std::string_view block, const Url& url, Capture& capture);
  // Content without HTTP around it: a WARC resource, an old ARC record.
  void take_content(std::string_view content, std::string_view content_type, const Url& url,
                    Capture& capture);

 private:
  void take_digest(const DecodedBody& body, std::uint64_t offset, Sighting& sighting);
  void take_redirect(const Url& url, Capture& capture);
  void take_header_links(const Url& url, Capture& capture);

  const ReadOptions& options_;
  Report& report_;
  HttpResponse response_;
  BodyDecoder decoder_;
  LinkCollector collector_;
  HtmlLinkExtractor html_;
};

}  // namespace webstrata
