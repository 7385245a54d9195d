// SPDX-License-Identifier: Apache-2.0

// Sitemaps: XML, index, text, gzip. What comes out are web urls, within the limits.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "webstrata/fetch/crawl/sitemap.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  webstrata::Url base;
  if (!webstrata::parse_url("http://a.example/sitemap.xml", base)) std::abort();
  const webstrata::Sitemap sitemap = webstrata::parse_sitemap(
      std::string_view(reinterpret_cast<const char*>(data), size), base, 1'700'000'000);
  if (sitemap.pages.size() > webstrata::kSitemapEntriesMax) std::abort();
  for (const webstrata::SitemapEntry& entry : sitemap.pages) {
    if (!entry.url.starts_with("http")) std::abort();
    if (entry.changed && *entry.changed > 1'700'000'000) std::abort();
    if (entry.priority && !(*entry.priority > 0 && *entry.priority <= 1)) std::abort();
  }
  return 0;
}
