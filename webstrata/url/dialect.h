// SPDX-License-Identifier: Apache-2.0

// How other tools write the key of a URL. An archive is keyed `exact` (key.h); these foldings serve
// look-ups that unite spellings, and keys read from or written for other tools.
//
//   fold(Dialect::Ia, "https://WWW.archive.org/goo/?a=2&b&a=1")  ==  "org,archive)/goo?a=1&a=2&b"
//
// They read the raw spelling, as in a CDX line or as typed by a user, not a normalised URL.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace webstrata {

enum class Dialect {
  Exact,                // key.h; empty if the text is not a URL
  Ia,                   // webarchive-commons: Heritrix, OpenWayback, the Internet Archive's CDX
  Pywb,                 // the PyPI package `surt`: pywb, CDX servers, cdxj-indexer
  Cdxj,                 // the CDXJ 0.1.0 specification: lower case, host reversed, nothing else
  CommonCrawlHost,      // node names of Common Crawl's host graph; empty if it has no such node
  CommonCrawlHost2025,  // the same before 2026: "www." stripped
};

// Where Ia and Pywb differ: Ia strips every leading "www.", "www2.", Pywb only the first; Ia knows
// six schemes and reads "mailto:a@b" as a host b, Pywb keeps opaque URLs and accepts
// "http://http://"; Ia turns "dns:example.org" into "org,example)"; Pywb also reads addresses of
// two or three numbers. If the port is not a number, the whole text stays as it is.

struct DialectEntry {
  Dialect dialect;
  std::string_view name;
  std::string_view summary;
};

std::span<const DialectEntry> dialects();
std::string_view to_string(Dialect dialect);
std::optional<Dialect> parse_dialect(std::string_view name);

// The key of `url_text` in that dialect. Never fails: text that a dialect cannot parse stays as it
// is.
std::string fold(Dialect dialect, std::string_view url_text);

}  // namespace webstrata
