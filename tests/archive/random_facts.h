// SPDX-License-Identifier: Apache-2.0

// Small random crawls with everything that makes facts join: duplicates, equal times, empty
// captures, revisits with and without originals, 404s, redirects, URLs that only links mention.

#pragma once

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "webstrata/base/random.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {

// How many random crawls a test tries: a tenth where sanitizers make everything slow. The variable
// WEBSTRATA_SEEDS sets another number.
inline std::uint64_t seed_count(std::uint64_t usual) {
  const char* wanted = std::getenv("WEBSTRATA_SEEDS");
  if (wanted != nullptr) return std::strtoull(wanted, nullptr, 10);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return usual / 10;
#else
  return usual;
#endif
}

// Most of them are one of a handful, so that facts of a small crawl join.
inline std::string random_url(Random& random) {
  if (random.chance(0.7)) return "http://a.example/" + std::to_string(random.below(4));
  static const std::vector<std::string> hosts = {"a.example", "b.a.example", "www.b.example",
                                                 "c.example:8080"};
  std::string url = random.chance(0.8) ? "http://" : "https://";
  url += hosts[random.below(hosts.size())] + "/";
  if (random.chance(0.5)) url += "d" + std::to_string(random.below(3)) + "/";
  url += std::to_string(random.below(12));
  if (random.chance(0.1)) url += "?q=" + std::to_string(random.below(3));
  return url;
}

// None, one or two of a handful. They follow from the link and the capture, so that the crawls of a
// seed are the same with and without texts.
inline void add_texts(LinkSet& links, const Sighting& sighting) {
  LinkSet with_texts;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::size_t mix = std::hash<std::string_view>()(links[i].target) / 3 +
                            static_cast<std::size_t>(sighting.time / 4'000'000) * 7 +
                            std::hash<std::string>()(sighting.digest) / 5;
    Link link = links[i];
    const std::string text = "text " + std::to_string(mix % 4);
    if (mix % 5 != 0) link.text = text;
    const std::size_t position = with_texts.add(link);
    if (mix % 3 == 0) with_texts.add_text(position, "more " + std::to_string(mix % 11));
  }
  links = with_texts;
}

inline void add_random_links(Random& random, Capture& capture) {
  capture.links_known = true;
  const std::uint64_t count = random.chance(0.15) ? 0 : random.below(9);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string target = random_url(random);
    Link link;
    link.target = target;
    link.kinds = random.chance(0.9) ? LinkKinds(LinkKind::Navigation)
                                    : LinkKind::Navigation | LinkKind::Nofollow;
    link.count = static_cast<std::uint8_t>(random.chance(0.9) ? 1 : 1 + random.below(255));
    capture.links.add(link);
  }
}

inline Capture random_capture(Random& random) {
  Capture capture;
  Sighting& sighting = capture.sighting;
  sighting.url = random_url(random);
  sighting.time = static_cast<Time>(1'000'000'000 + random.below(12) * 1'000'000);
  if (random.chance(0.02)) sighting.time = static_cast<Time>(random.next());
  sighting.digest = "sha1:" + std::to_string(random.below(4));
  if (random.chance(0.3)) sighting.file = "f" + std::to_string(random.below(2)) + ".warc";
  if (!sighting.file.empty()) sighting.offset = random.below(3) * 100;
  if (random.chance(0.2)) sighting.mime = "text/html";
  if (random.chance(0.1)) sighting.crawl = "crawl" + std::to_string(random.below(2));
  if (random.chance(0.1)) sighting.text_length = random.below(5);
  const std::uint64_t form = random.below(10);
  if (form < 6) {
    sighting.status = 200;
    sighting.outcome = Outcome::Alive;
    add_random_links(random, capture);
    add_texts(capture.links, sighting);
  } else if (form == 6) {
    sighting.status = 404;
    sighting.outcome = Outcome::Gone;
  } else if (form == 7) {
    sighting.status = 301;
    sighting.outcome = Outcome::Moved;
    sighting.redirect_target = random_url(random);
    capture.links_known = true;
    Link link;
    link.target = sighting.redirect_target;
    link.kinds = LinkKind::Redirect;
    if (sighting.redirect_target != sighting.url) capture.links.add(link);
  } else if (form == 8) {
    sighting.kind = SightingKind::Revisit;
    sighting.outcome = Outcome::Alive;
    sighting.revisit_profile =
        random.chance(0.6) ? RevisitProfile::IdenticalDigest : RevisitProfile::NotModified;
    if (sighting.revisit_profile == RevisitProfile::NotModified) sighting.digest.clear();
    if (random.chance(0.3)) {
      sighting.refers_to_time = static_cast<Time>(1'000'000'000 + random.below(12) * 1'000'000);
    }
    if (random.chance(0.1)) sighting.refers_to_url = random_url(random);
  } else {
    sighting.kind = SightingKind::IndexLine;
    sighting.status = 200;
    sighting.outcome = Outcome::Alive;
  }
  return capture;
}

inline std::vector<Capture> random_crawl(Random& random, std::size_t size) {
  std::vector<Capture> crawl;
  for (std::size_t i = 0; i < size; ++i) {
    const bool is_copy = !crawl.empty() && random.chance(0.1);
    crawl.push_back(is_copy ? crawl[random.below(crawl.size())] : random_capture(random));
    if (is_copy && random.chance(0.5)) crawl.back().sighting.file = "copy.warc";
  }
  return crawl;
}

}  // namespace webstrata
