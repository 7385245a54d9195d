// SPDX-License-Identifier: Apache-2.0

// Facts about URLs. A sighting is a dated status of a URL; a capture is a sighting whose links
// are known. A CDX line or a PDF is a sighting, never "a page with no links".

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/base/time.h"
#include "webstrata/facts/link.h"
#include "webstrata/facts/outcome.h"

namespace webstrata {

enum class SightingKind : std::uint8_t {
  Response,   // an answer with its body, whole or cut
  Revisit,    // a record that says "unchanged since an earlier capture"
  Probe,      // a request made to see whether the page lives
  IndexLine,  // a line of a CDX, of a crawl log, of a table
};
std::string_view to_string(SightingKind kind) noexcept;

enum class RevisitProfile : std::uint8_t { None, IdenticalDigest, NotModified };

// A status of a URL at a time. What is not known is empty, never zero.
struct Sighting {
  std::string url;       // normalised (url/url.h)
  std::string spelling;  // as the source wrote it, if that differs from `url`
  Time time = 0;
  SightingKind kind = SightingKind::Response;
  std::optional<std::int16_t> status;  // HTTP, or Heritrix's negative codes
  Outcome outcome = Outcome::Unknown;
  std::string digest;       // of the payload, with its algorithm: "sha1:3I42H3S6..."
  std::string text_digest;  // of the visible text, likewise
  std::optional<std::uint64_t> text_length;
  std::optional<std::uint64_t> title_hash;
  std::string mime;             // without parameters, lower case
  std::string redirect_target;  // normalised
  bool truncated = false;

  RevisitProfile revisit_profile = RevisitProfile::None;
  std::string refers_to_url;  // normalised
  std::optional<Time> refers_to_time;

  std::string file;  // base name
  std::optional<std::uint64_t> offset;
  std::optional<std::uint64_t> length;  // of the record in the file, compressed if it is
  std::string crawl;

  // Clears everything, keeps the memory.
  void clear();
};

// What a reader yields, again and again into the same object.
struct Capture {
  Sighting sighting;
  bool links_known = false;  // false: only a sighting
  LinkSet links;
  std::string title;        // only if asked for
  std::string text;         // visible text, only if asked for
  bool text_known = false;  // the text was asked for and is known; it may be empty

  void clear();
};

}  // namespace webstrata
