// SPDX-License-Identifier: Apache-2.0

// What sightings cost on real crawls. The target is 24 bits each for all but the digest.

#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/capture/reading.h"
#include "tests/shared_folder.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/sightings.h"
#include "webstrata/url/key.h"

namespace webstrata {
namespace {

std::string key_of(const std::string& href) {
  Url url;
  std::string key;
  if (parse_url(href, url)) append_key(url, key);
  return key;
}

// Captures by key, and the rank of a key among all that occur.
struct Crawl {
  std::map<std::string, std::set<SightingRecord>> pages;
  std::map<std::string, Uid> uids;
};

SightingRecord record_of(const KeptCapture& capture, const Crawl& crawl) {
  const Sighting& sighting = capture.sighting;
  SightingRecord record;
  record.time = sighting.time;
  record.kind = static_cast<std::uint8_t>(sighting.kind);
  record.outcome = static_cast<std::uint8_t>(sighting.outcome);
  record.revisit_profile = static_cast<std::uint8_t>(sighting.revisit_profile);
  record.has_links = capture.links_known;
  record.truncated = sighting.truncated;
  record.status = sighting.status;
  record.text_length = sighting.text_length;
  record.title_hash = sighting.title_hash;
  record.offset = sighting.offset;
  record.length = sighting.length;
  record.refers_to_time = sighting.refers_to_time;
  if (!sighting.redirect_target.empty()) {
    record.redirect = crawl.uids.at(key_of(sighting.redirect_target));
  }
  record.digest = sighting.digest;
  record.text_digest = sighting.text_digest;
  record.mime = sighting.mime;
  record.spelling = sighting.spelling;
  record.file = sighting.file;
  record.crawl = sighting.crawl;
  return record;
}

Crawl crawl_of(const std::vector<KeptCapture>& captures) {
  Crawl crawl;
  for (const KeptCapture& capture : captures) {
    crawl.uids.emplace(key_of(capture.sighting.url), 0);
    if (!capture.sighting.redirect_target.empty()) {
      crawl.uids.emplace(key_of(capture.sighting.redirect_target), 0);
    }
    for (const KeptLink& link : capture.links) crawl.uids.emplace(key_of(link.target), 0);
  }
  Uid next = 0;
  for (auto& [key, uid] : crawl.uids) uid = next++;
  for (const KeptCapture& capture : captures) {
    crawl.pages[key_of(capture.sighting.url)].insert(record_of(capture, crawl));
  }
  return crawl;
}

struct Cost {
  std::uint64_t bytes = 0;
  std::uint64_t sightings = 0;
  [[nodiscard]] double bits_each() const {
    return 8.0 * static_cast<double>(bytes) / static_cast<double>(sightings);
  }
};

void close_chunk(SightingLists& lists, TimeLists& rows, Cost& cost) {
  cost.bytes += encode_sightings(lists, rows).size();
  cost.sightings += lists.records.size();
  lists.clear(lists.first + lists.node_count());
  rows.clear();
}

// Encodes all, every node of the graph counted, in chunks as an archive cuts them.
Cost cost_of(const Crawl& crawl, bool with_digests) {
  Cost cost;
  SightingLists lists;
  TimeLists rows;
  const std::set<SightingRecord> none;
  for (const auto& [key, uid] : crawl.uids) {
    const auto page = crawl.pages.find(key);
    const auto& records = page == crawl.pages.end() ? none : page->second;
    if (lists.node_count() == kChunkNodes ||
        lists.records.size() + records.size() > kChunkSightings) {
      close_chunk(lists, rows, cost);
    }
    std::set<Time> times;
    for (SightingRecord record : records) {
      if (!with_digests) record.digest.clear();
      if (record.has_links) times.insert(record.time);
      lists.records.push_back(std::move(record));
    }
    lists.ends.push_back(static_cast<std::uint32_t>(lists.records.size()));
    rows.add(std::vector<Time>(times.begin(), times.end()));
  }
  close_chunk(lists, rows, cost);
  return cost;
}

double print_cost(std::string_view what, const Crawl& crawl) {
  const Cost bare = cost_of(crawl, false);
  const Cost whole = cost_of(crawl, true);
  fmt::print("{}: {} nodes, {} sightings, {:.2f} bits each without digests, {:.2f} with\n", what,
             crawl.uids.size(), bare.sightings, bare.bits_each(), whole.bits_each());
  return bare.bits_each();
}

TEST(SightingsSize, VersionsOfASiteStayBelowTheTarget) {
  const std::filesystem::path data = shared_folder() / "data/openbsd-www/captures.tsv.gz";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << data << " is not there";
  auto captures = read_path(data).captures;
  // Without rows the times are here instead of in the layer `times`.
  EXPECT_LE(print_cost("openbsd-www as an index", crawl_of(captures)), 25);
  for (KeptCapture& capture : captures) {
    if (capture.sighting.outcome != Outcome::Alive) continue;
    capture.sighting.kind = SightingKind::Response;
    capture.links_known = true;
  }
  EXPECT_LE(print_cost("openbsd-www as captures", crawl_of(captures)), 24);
}

// Build folders are inside the source tree.
std::filesystem::path sample_file() {
  for (auto folder = std::filesystem::current_path();; folder = folder.parent_path()) {
    const auto file = folder / "examples/sample/2021.warc.gz";
    if (std::filesystem::exists(file)) return file;
    if (folder == folder.parent_path()) return {};
  }
}

TEST(SightingsSize, ASmallCrawlWithItsPlacesIsTold) {
  const std::filesystem::path sample = sample_file();
  if (sample.empty()) GTEST_SKIP() << "examples/sample is not above the working folder";
  EXPECT_LE(print_cost("sample", crawl_of(read_path(sample).captures)), 80);
}

}  // namespace
}  // namespace webstrata
