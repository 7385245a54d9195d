// SPDX-License-Identifier: Apache-2.0

// A 2xx page and a 3xx answer with a target are captures; everything else is a sighting, and the
// bodies of error answers give no links.
// Tested by tests/capture/warc_reader_test.cpp.

#include "webstrata/capture/http/http_capture.h"

#include "webstrata/base/text.h"
#include "webstrata/capture/html/html_values.h"
#include "webstrata/capture/http/link_header.h"
#include "webstrata/capture/record/digest.h"
#include "webstrata/capture/record/sighting_fields.h"

namespace webstrata {
namespace {

constexpr std::size_t kSniffBytes = 512;

// For answers without a type: does it look like a page?
bool looks_like_html(std::string_view content) {
  const std::string_view start = content.substr(0, kSniffBytes);
  const std::size_t tag = start.find('<');
  if (tag == std::string_view::npos) return false;
  const auto begins = [&](std::string_view name) {
    return equal_ignoring_case(start.substr(tag + 1, name.size()), name);
  };
  return begins("!doctype html") || begins("html") || begins("head") || begins("body") ||
         begins("title");
}

bool is_html(std::string_view mime, std::string_view content) {
  if (mime.empty()) return looks_like_html(content);
  return mime == "text/html" || mime == "application/xhtml+xml" ||
         mime == "application/vnd.wap.xhtml+xml";
}

}  // namespace

HttpCapture::HttpCapture(const ReadOptions& options, Report& report)
    : options_(options), report_(report), collector_(options, report), html_(options, report) {}

bool HttpCapture::take_head(std::string_view block, const Url& url, Capture& capture) {
  if (!parse_http_response(block, response_)) return false;
  Sighting& sighting = capture.sighting;
  set_mime(sighting, response_.headers.value("Content-Type"));
  const std::string_view location = response_.headers.value("Location");
  const bool redirects = response_.status >= 300 && response_.status < 400 && !location.empty();
  if (redirects) set_redirect(sighting, url, location);
  set_status(sighting, response_.status);
  return true;
}

bool HttpCapture::take_response(std::string_view block, const Url& url, std::uint64_t offset,
                                Capture& capture) {
  if (!take_head(block, url, capture)) return false;
  Sighting& sighting = capture.sighting;
  const bool is_success = response_.status >= 200 && response_.status < 300;
  const bool body_is_digested = is_digest_of(sighting.digest, response_.body);
  const DecodedBody body =
      is_success || !body_is_digested ? decoder_.decode(response_) : DecodedBody{};
  if (!body_is_digested) take_digest(body, offset, sighting);
  if (!sighting.redirect_target.empty()) {
    take_redirect(url, capture);
  } else if (is_success && is_html(sighting.mime, body.content)) {
    if (!body.problem.empty()) {
      report_.damaged(offset, body.problem);
      sighting.truncated = true;
    }
    take_header_links(url, capture);
    take_content(body.content, response_.headers.value("Content-Type"), url, capture);
  }
  return true;
}

// Crawlers compute digests of the body as received, without its transfer coding, or without any
// coding.
void HttpCapture::take_digest(const DecodedBody& body, std::uint64_t offset, Sighting& sighting) {
  if (sighting.digest.empty()) {
    sighting.digest = sha1_base32(body.entity);
    return;
  }
  const bool is_right = sighting.truncated || is_digest_of(sighting.digest, body.entity) ||
                        is_digest_of(sighting.digest, body.content);
  if (!is_right) replace_wrong_digest(body.entity, report_, offset, sighting);
}

void HttpCapture::take_redirect(const Url& url, Capture& capture) {
  capture.links_known = true;
  const std::string& target = capture.sighting.redirect_target;
  if (target == url.href() || !collector_.wants(LinkKind::Redirect)) return;
  capture.links.add({target, LinkKind::Redirect});
}

void HttpCapture::take_header_links(const Url& url, Capture& capture) {
  collector_.begin(url, capture.links);
  for (const HeaderField& field : response_.headers.all()) {
    if (equal_ignoring_case(field.name, "Link")) {
      add_link_header(field.value, collector_);
    } else if (equal_ignoring_case(field.name, "Refresh")) {
      const auto target = parse_refresh(field.value);
      if (target) collector_.add(*target, LinkKind::Refresh | LinkKind::Navigation);
    }
  }
  collector_.end();
}

void HttpCapture::take_content(std::string_view content, std::string_view content_type,
                               const Url& url, Capture& capture) {
  if (!is_html(capture.sighting.mime, content)) return;
  capture.links_known = true;
  html_.extract(content, field_parameter(content_type, "charset"), url, capture);
}

}  // namespace webstrata
