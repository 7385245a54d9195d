// SPDX-License-Identifier: Apache-2.0

// Where a WAT keeps things, each level optional:
//
//   Container: Filename, Offset, Gzip-Metadata: Deflate-Length
//   Envelope: WARC-Header-Metadata (WARC-Target-URI, ...) or ARC-Header-Metadata (Target-URI, ...)
//             Payload-Metadata: HTTP-Response-Metadata: Response-Message: Status
//                                                       Headers, Entity-Digest
//                                                       HTML-Metadata: Head (Base, Title, Link,
//                                                                      Metas, Scripts), Links
//
// A link is {path: "A@/href", url, text, rel, ...}: element, attribute, and other attributes of the
// element. Numbers are strings. Header names are as the server wrote them, values a string or a
// list.
// Tested by tests/capture/wat_links_test.cpp.

#include "webstrata/capture/formats/wat_links.h"

#include <string>

#include "webstrata/base/text.h"
#include "webstrata/capture/formats/json_line.h"
#include "webstrata/capture/html/html_values.h"
#include "webstrata/capture/http/http_message.h"
#include "webstrata/capture/http/link_header.h"
#include "webstrata/capture/record/sighting_fields.h"

namespace webstrata {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// The object at a path of names, or an empty one.
std::optional<object> object_at(object start, std::initializer_list<std::string_view> names) {
  std::optional<object> found = start;
  for (const std::string_view name : names) {
    found = object_field(*found, name);
    if (!found) break;
  }
  return found;
}

// From "A@/href" and the link's rel; empty if it is not a reference that we follow.
LinkKinds kinds_of(std::string_view path, std::string_view rel) {
  const std::string_view tag = path.substr(0, path.find('@'));
  const std::string_view attribute = base_name(path);
  const auto is = [tag](std::string_view name) { return equal_ignoring_case(tag, name); };
  if (is("A") || is("AREA") || is("FRAME")) {
    if (attribute == "onclick") return {};  // a guess at what a script does
    return LinkKind::Navigation | kinds_of_anchor(rel);
  }
  if (is("LINK")) return kinds_of_relation(rel);
  if (is("FORM") || attribute == "formaction") return LinkKind::Form;
  if (is("Q") || is("BLOCKQUOTE") || is("DEL") || is("INS") || attribute == "cite") {
    return LinkKind::Relation;
  }
  if (attribute == "onclick" || attribute == "data-href" || attribute == "data-uri") return {};
  return LinkKind::Embed;  // IMG, SCRIPT, IFRAME, EMBED, VIDEO, STYLE, background ...
}

class WatRecord {
 public:
  WatRecord(const ReadOptions& options, LinkCollector& collector, Report& report,
            std::uint64_t offset)
      : options_(options), collector_(collector), report_(report), offset_(offset) {}

  bool read(std::string_view text, Capture& capture) {
    if (!json_.parse(text)) return damaged("JSON: " + std::string(json_.error()));
    const auto envelope = object_field(json_.object(), "Envelope");
    if (!envelope) return damaged("a WAT record without Envelope");
    if (!read_header(*envelope, capture.sighting)) return false;
    read_place(capture.sighting);
    const auto http = object_at(*envelope, {"Payload-Metadata", "HTTP-Response-Metadata"});
    if (http) read_answer(*http, capture);
    return true;
  }

 private:
  bool damaged(std::string reason) {
    report_.damaged(offset_, reason);
    return false;
  }

  bool read_header(object envelope, Sighting& sighting) {
    if (const auto warc = object_field(envelope, "WARC-Header-Metadata")) {
      return read_warc_header(*warc, sighting);
    }
    if (const auto arc = object_field(envelope, "ARC-Header-Metadata")) {
      set_mime(sighting, json_.word(*arc, "Content-Type"));
      return read_name_and_time(json_.word(*arc, "Target-URI"), json_.word(*arc, "Date"), sighting);
    }
    return damaged("a WAT record without the header of what it describes");
  }

  bool read_warc_header(object header, Sighting& sighting) {
    const std::string_view type = json_.word(header, "WARC-Type");
    if (type != "response" && type != "revisit") return false;
    sighting.kind = type == "revisit" ? SightingKind::Revisit : SightingKind::Response;
    if (!read_name_and_time(json_.word(header, "WARC-Target-URI"), json_.word(header, "WARC-Date"),
                            sighting)) {
      return false;
    }
    set_digest(sighting.digest, json_.word(header, "WARC-Payload-Digest"));
    sighting.truncated = !is_absent(json_.word(header, "WARC-Truncated"));
    if (sighting.kind == SightingKind::Revisit) read_revisit(header, sighting);
    return true;
  }

  bool read_name_and_time(std::string_view name, std::string_view time, Sighting& sighting) {
    return set_url(sighting, name, options_, report_, offset_, url_) &&
           set_time(sighting, time, report_, offset_);
  }

  void read_revisit(object header, Sighting& sighting) {
    sighting.outcome = Outcome::Alive;
    const std::string_view profile = json_.word(header, "WARC-Profile");
    sighting.revisit_profile = profile.find("not-modified") != std::string_view::npos
                                   ? RevisitProfile::NotModified
                                   : RevisitProfile::IdenticalDigest;
    Url original;
    if (parse_url(json_.word(header, "WARC-Refers-To-Target-URI"), original)) {
      sighting.refers_to_url = original.href();
    }
    set_refers_to_time(sighting, json_.word(header, "WARC-Refers-To-Date"), report_, offset_);
  }

  // The place of the described record, where the page itself is stored.
  void read_place(Sighting& sighting) {
    const auto container = object_field(json_.object(), "Container");
    if (!container || json_.word(*container, "Filename").empty()) return;
    sighting.file = base_name(json_.word(*container, "Filename"));
    sighting.offset = parse_number<std::uint64_t>(json_.word(*container, "Offset"));
    sighting.length.reset();
    if (const auto gzip = object_field(*container, "Gzip-Metadata")) {
      sighting.length = parse_number<std::uint64_t>(json_.word(*gzip, "Deflate-Length"));
    }
  }

  // Calls `take` for each value of a header field.
  template <typename Take>
  void for_header(object http, std::string_view name, Take take) {
    const auto headers = object_field(http, "Headers");
    if (!headers) return;
    for (const auto& [key, value] : *headers) {
      if (!equal_ignoring_case(key, name)) continue;
      array values;
      if (value.get(values) != simdjson::SUCCESS) {
        take(json_.word(value));
        continue;
      }
      for (const element one : values) take(json_.word(one));
    }
  }

  void read_answer(object http, Capture& capture) {
    Sighting& sighting = capture.sighting;
    if (sighting.digest.empty()) set_digest(sighting.digest, json_.word(http, "Entity-Digest"));
    for_header(http, "Content-Type", [&](std::string_view type) { set_mime(sighting, type); });
    const auto message = object_field(http, "Response-Message");
    const auto status =
        message ? parse_number<std::int16_t>(json_.word(*message, "Status")) : std::nullopt;
    if (!status) return;
    if (*status >= 300 && *status < 400) {
      for_header(http, "Location", [&](std::string_view target) {
        if (sighting.redirect_target.empty()) set_redirect(sighting, url_, target);
      });
    }
    set_status(sighting, *status);
    if (sighting.kind == SightingKind::Response && url_.is_web()) read_links(http, capture);
  }

  void read_links(object http, Capture& capture) {
    const Sighting& sighting = capture.sighting;
    const auto html = object_field(http, "HTML-Metadata");
    const bool is_page = *sighting.status >= 200 && *sighting.status < 300 && html;
    if (!is_page && sighting.redirect_target.empty()) return;
    capture.links_known = true;
    collector_.begin(url_, capture.links);
    if (is_page) {
      for_header(http, "Link", [&](std::string_view value) { add_link_header(value, collector_); });
      for_header(http, "Refresh", [&](std::string_view content) { add_refresh(content); });
      read_page(*html, capture);
    } else if (sighting.redirect_target != sighting.url) {
      collector_.add(sighting.redirect_target, LinkKind::Redirect);
    }
    collector_.end();
  }

  void read_page(object html, Capture& capture) {
    if (const auto head = object_field(html, "Head")) read_head(*head, capture);
    if (const auto links = array_field(html, "Links")) add_links(*links, "A@/href");
  }

  void read_head(object head, Capture& capture) {
    const std::string_view base = json_.word(head, "Base");
    if (!base.empty()) collector_.set_base(base);
    set_title(capture, json_.word(head, "Title"), options_);
    if (const auto links = array_field(head, "Link")) add_links(*links, "LINK@/href");
    if (const auto scripts = array_field(head, "Scripts")) add_links(*scripts, "SCRIPT@/src");
    if (const auto metas = array_field(head, "Metas")) add_metas(*metas);
  }

  void add_links(array links, std::string_view path_if_missing) {
    for (const element value : links) {
      object link;
      if (value.get(link) != simdjson::SUCCESS) continue;
      const std::string_view path = json_.word(link, "path");
      const std::string_view url = json_.word(link, "url");
      const LinkKinds kinds =
          kinds_of(path.empty() ? path_if_missing : path, json_.word(link, "rel"));
      if (url.empty() || kinds.empty()) continue;
      collector_.add(url, kinds,
                     options_.with_anchor_text ? json_.word(link, "text") : std::string_view{});
    }
  }

  void add_metas(array metas) {
    for (const element value : metas) {
      object meta;
      if (value.get(meta) != simdjson::SUCCESS) continue;
      const std::string_view content = json_.word(meta, "content");
      if (equal_ignoring_case(json_.word(meta, "http-equiv"), "refresh")) add_refresh(content);
      if (equal_ignoring_case(json_.word(meta, "rel"), "canonical") && !content.empty()) {
        collector_.add(content, LinkKind::Relation);
      }
    }
  }

  void add_refresh(std::string_view content) {
    const auto target = parse_refresh(content);
    if (target) collector_.add(*target, LinkKind::Refresh | LinkKind::Navigation);
  }

  const ReadOptions& options_;
  LinkCollector& collector_;
  Report& report_;
  std::uint64_t offset_;
  Url url_;
  // Shared by the records of a thread: its memory is worth keeping.
  inline static thread_local JsonLine json_;
};

}  // namespace

bool read_wat(std::string_view json, const ReadOptions& options, LinkCollector& collector,
              Report& report, std::uint64_t offset, Capture& capture) {
  return WatRecord(options, collector, report, offset).read(json, capture);
}

}  // namespace webstrata
