// SPDX-License-Identifier: Apache-2.0

// Forgetting in tests: random requests, and the slow way to carry them out.

#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "webstrata/archive/forget.h"
#include "webstrata/url/key.h"

namespace webstrata {

inline std::string key_of(const std::string& text) {
  Url url;
  parse_url(text, url);
  std::string key;
  append_key(url, key);
  return key;
}

// The slow way: every fact is checked for being meant.
inline Crawl without(const Crawl& crawl, const Selection& selection) {
  const auto is_meant = [&](const std::string& url) {
    return !url.empty() && selection.covers(key_of(url), std::nullopt);
  };
  Crawl rest;
  for (const Capture& capture : crawl) {
    const Sighting& sighting = capture.sighting;
    if (is_meant(sighting.url) || selection.covers(key_of(sighting.url), sighting.time)) continue;
    if (sighting.refers_to_url != sighting.url && is_meant(sighting.refers_to_url)) continue;
    Capture kept = capture;
    if (is_meant(sighting.redirect_target)) kept.sighting.redirect_target.clear();
    kept.links.clear();
    for (std::size_t i = 0; i < capture.links.size(); ++i) {
      if (is_meant(std::string(capture.links[i].target))) continue;
      const std::size_t position = kept.links.add(capture.links[i]);
      std::vector<std::string_view> more;
      capture.links.more_texts(i, more);
      for (const std::string_view text : more) kept.links.add_text(position, text);
    }
    rest.push_back(std::move(kept));
  }
  return rest;
}

inline Forget random_request(Random& random) {
  Forget request;
  request.scope = static_cast<ForgetScope>(random.below(3));
  Url url;
  parse_url(random_url(random), url);
  request.text =
      request.scope == ForgetScope::Host ? std::string(url.host()) : std::string(url.href());
  request.exactly = random.chance(0.3);
  if (random.chance(0.3)) {
    const Time first = static_cast<Time>(1'000'000'000 + random.below(12) * 1'000'000);
    request.during = TimeInterval{first, first + static_cast<Time>(random.below(6)) * 1'000'000};
  }
  return request;
}

// What a preview says is what then happens. (It does not know the times that remain.)
inline void expect_shown_before(const ForgetResult& shown, const ForgetResult& done) {
  ArchiveCounts counts = shown.manifest.counts;
  counts.span = done.manifest.counts.span;
  EXPECT_TRUE(counts == done.manifest.counts)
      << counts.nodes << " names, " << counts.pages << " pages, " << counts.captures
      << " captures, " << counts.sightings << " sightings, " << counts.links << " links, "
      << counts.link_facts << " link facts";
  EXPECT_TRUE(shown.before == done.before);
  EXPECT_EQ(shown.names, done.names);
  EXPECT_EQ(shown.sightings, done.sightings);
  EXPECT_EQ(shown.tombstones, done.tombstones);
  EXPECT_EQ(shown.embedded, done.embedded);
  EXPECT_EQ(shown.is_changed, done.is_changed);
}

}  // namespace webstrata
