// SPDX-License-Identifier: Apache-2.0

// Sitemaps (sitemaps.org 0.9): XML, an index of sitemaps, or plain text; plain or gzip.
//
//   const Sitemap sitemap = parse_sitemap(body, url, now);
//   for (const SitemapEntry& entry : sitemap.pages) entry.url;
//
// A sitemap contains claims of its author. Limits are those of the protocol; a priority of zero or
// above one, a time in the future and a change every minute are meaningless, and are dropped
// (nutch#854). An entry is a link of the kind Sitemap; sitemaps flatten a site, so it is no reason
// to rank a page first.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/time.h"
#include "webstrata/url/url.h"

namespace webstrata {

inline constexpr std::size_t kSitemapEntriesMax = 50'000;
inline constexpr std::size_t kSitemapBytesMax = 52'428'800;  // uncompressed

struct SitemapEntry {
  std::string url;                      // normalised, http or https
  std::optional<Time> changed = {};     // lastmod
  std::optional<double> priority = {};  // in (0, 1]
  std::optional<Time> period = {};      // changefreq, in seconds; a day at least
};

struct Sitemap {
  std::vector<SitemapEntry> pages;
  std::vector<SitemapEntry> sitemaps;  // of an index
  std::uint64_t left_out = 0;          // entries that are not a URL, or beyond the limits
  bool is_cut = false;                 // there was more than the limits allow
};

// Whether it begins like an XML sitemap or sitemap index; plain or gzip.
bool looks_like_sitemap(std::string_view body);

// Never fails: what cannot be read is left out and counted. References are resolved against `base`.
Sitemap parse_sitemap(std::string_view body, const Url& base, Time now);

}  // namespace webstrata
