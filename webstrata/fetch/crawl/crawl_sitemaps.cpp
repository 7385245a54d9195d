// SPDX-License-Identifier: Apache-2.0

// A sitemap is a URL like any other: it waits, is asked politely, charged and written down. What it
// names is found as if it linked there; it scores nothing itself. robots.txt says which URLs are
// sitemaps, and the ledger keeps robots.txt, so nothing more need be remembered.
//
// Tested by tests/fetch/crawl_test.cpp.

#include <fmt/format.h>

#include "webstrata/fetch/crawl/crawler.h"
#include "webstrata/fetch/crawl/sitemap.h"
#include "webstrata/fetch/wire/answer.h"
#include "webstrata/fetch/wire/origin.h"

namespace webstrata {
namespace {

NamedSitemaps named_sitemaps(const RobotsRules& rules, const Url& asker) {
  NamedSitemaps named;
  Url robots;
  Url target;
  if (!parse_url(origin_of(asker) + "/robots.txt", robots)) return named;
  for (const std::string& name : rules.sitemaps()) {
    if (!resolve_url(robots, name, target) || !target.is_web()) continue;
    const std::string href(target.href());
    if (named.known.insert(href).second) named.urls.push_back(href);
  }
  return named;
}

}  // namespace

// Resolved once for each origin: a file may name a thousand, and every page is compared with them.
const NamedSitemaps* Crawler::sitemaps_of(const Url& asker) {
  const auto found = sitemaps_.find(origin_of(asker));
  if (found != sitemaps_.end()) return &found->second;
  const RobotsRules* rules = visits_.rules_of(asker);
  if (rules == nullptr) return nullptr;
  return &sitemaps_.emplace(origin_of(asker), named_sitemaps(*rules, asker)).first->second;
}

// Whether the robots.txt of the asker's host names it.
bool Crawler::is_named_sitemap(std::string_view asker, const Url& url) {
  Url origin;
  if (!parse_url(asker, origin)) return false;
  const NamedSitemaps* sitemaps = sitemaps_of(origin);
  return sitemaps != nullptr && sitemaps->known.contains(std::string(url.href()));
}

// A scope may name a folder of the host; its sitemap lies at the top.
bool Crawler::is_own_sitemap(const LedgerUrl& page, const Url& url) {
  if (!settings_.with_sitemaps || page.from == kNoUrl) return false;
  Url asker;
  if (!parse_url(ledger_.url(page.from).url, asker) || origin_of(asker) != origin_of(url)) {
    return false;
  }
  if (sitemaps_of(asker) != nullptr) return is_named_sitemap(asker.href(), url);
  // Rules that are too old to be followed still say why it waits.
  const auto old = ledger_.robots(origin_of(asker));
  if (!old) return false;
  const RobotsRules rules = parse_robots(old->body, settings_.product);
  return named_sitemaps(rules, asker).known.contains(std::string(url.href()));
}

// Named by robots.txt of its own host or of the host that led there; or XML that one of these led
// to, which is part of an index.
bool Crawler::is_sitemap(const LedgerUrl& page, const Url& url, const Response& response) {
  if (!settings_.with_sitemaps) return false;
  if (is_named_sitemap(url.href(), url)) return true;
  if (page.from == kNoUrl) return false;
  const LedgerUrl from = ledger_.url(page.from);
  if (is_named_sitemap(from.url, url)) return true;
  Url index;
  if (!parse_url(from.url, index)) return false;
  const bool is_led_by_one =
      is_named_sitemap(from.url, index) ||
      (from.from != kNoUrl && is_named_sitemap(ledger_.url(from.from).url, index));
  return is_led_by_one && looks_like_sitemap(AnswerBody().content(response));
}

void Crawler::learn_sitemap(const LedgerUrl& page, const Url& url, const Response& response,
                            Answer& answer) {
  const Sitemap sitemap =
      parse_sitemap(AnswerBody().content(response), url, seconds_of(clock_.now()));
  const UrlOrigin origin{
      .from = answer.learned.url, .depth = page.depth + 1, .found = clock_.now(), .hop = 'M'};
  answer.settlement.evidence = fmt::format("a sitemap of {} pages and {} sitemaps",
                                           sitemap.pages.size(), sitemap.sitemaps.size());
  Url target;
  for (const auto* entries : {&sitemap.sitemaps, &sitemap.pages}) {
    for (const SitemapEntry& entry : *entries) {
      if (!parse_url(entry.url, target)) continue;
      const auto number = let_in(target, origin);
      if (number && order_->wants_links()) answer.learned.links.push_back({*number, 0});
    }
  }
}

// A page came, so robots.txt of its host is known: the sitemaps that it names are let in, once.
void Crawler::let_in_sitemaps(UrlNumber number, const LedgerUrl& page, const Url& url) {
  if (!settings_.with_sitemaps || !origins_mapped_.insert(origin_of(url)).second) return;
  const NamedSitemaps* sitemaps = sitemaps_of(url);
  if (sitemaps == nullptr) return;
  Url target;
  for (const std::string& named : sitemaps->urls) {
    if (!parse_url(named, target) || is_forgotten(target)) continue;
    const UrlOrigin origin{.from = number, .depth = page.depth, .found = clock_.now(), .hop = 'M'};
    // A scope may name a folder of the host; its sitemap lies at the top.
    const bool is_own = origin_of(target) == origin_of(url) && !ledger_.find(target.href());
    const auto sitemap = is_own ? ledger_.add(target.href(), origin) : let_in(target, origin);
    if (sitemap) order_->discover(*sitemap);
  }
}

}  // namespace webstrata
