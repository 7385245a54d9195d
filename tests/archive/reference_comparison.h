// SPDX-License-Identifier: Apache-2.0

// Every form of question, asked of an archive and of the slow reference (reference.h).

#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tests/archive/random_facts.h"
#include "tests/archive/reference.h"
#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/merge/row_layers_writer.h"

namespace webstrata {

inline constexpr Time kFirstTime = std::numeric_limits<Time>::min();
inline constexpr Time kLastTime = std::numeric_limits<Time>::max();

// How many answers were compared, in all tests together.
inline std::uint64_t comparisons = 0;

template <typename Value>
void expect_same(const Value& value, const Value& expected, const char* what) {
  ++comparisons;
  ASSERT_EQ(value, expected) << what;
}

// Links as the archive returns them, in the form of the reference. Their texts are compared by
// texts_test.cpp.
inline std::map<Uid, ReferenceLink> told(const std::vector<LinkAt>& links) {
  std::map<Uid, ReferenceLink> map;
  for (const LinkAt& link : links) map[link.node] = {link.kinds.bits(), link.count};
  return map;
}
inline std::map<Uid, ReferenceLink> expected_links(const Reference& reference,
                                                   const ReferenceRow& row) {
  std::map<Uid, ReferenceLink> map;
  for (const auto& [target, link] : row) map[reference.uid(target)] = {link.kinds, link.count};
  return map;
}

class Comparison {
 public:
  Comparison(const Archive& archive, const Reference& reference)
      : archive_(archive), reference_(reference) {}

  void names(Random& random) const {
    const auto& names = reference_.names();
    expect_same<std::uint64_t>(archive_.node_count(), names.size(), "nodes");
    for (Uid uid = 0; uid < names.size(); ++uid) {
      expect_same(archive_.url(uid), names[uid], "url");
      expect_same(archive_.uid(names[uid]), std::optional(uid), "uid");
      expect_same(archive_.key(uid), Reference::key_of(names[uid]), "key");
    }
    expect_same(archive_.uid("http://nowhere.example/"), std::optional<Uid>(), "no such url");
    expect_same(archive_.uid("not a url"), std::optional<Uid>(), "no url");
    for (int i = 0; i < 20; ++i) ranges(random_url(random));
  }

  void ranges(const std::string& url) const {
    Url parsed;
    ASSERT_TRUE(parse_url(url, parsed));
    for (const KeyRange& keys : {host_keys(parsed.host()), domain_keys(parsed.host()),
                                 prefix_keys(parsed), directory_keys(parsed)}) {
      std::vector<Uid> inside;
      for (Uid uid = 0; uid < reference_.names().size(); ++uid) {
        if (keys.contains(Reference::key_of(reference_.names()[uid]))) inside.push_back(uid);
      }
      const UidRange range = archive_.range(keys);
      std::vector<Uid> found;
      for (Uid uid = range.first; uid < range.end; ++uid) found.push_back(uid);
      expect_same(found, inside, "range");
    }
    for (const Dialect dialect : {Dialect::Exact, Dialect::Ia, Dialect::Pywb, Dialect::Cdxj,
                                  Dialect::CommonCrawlHost, Dialect::CommonCrawlHost2025}) {
      std::vector<Uid> same;
      for (Uid uid = 0; uid < reference_.names().size(); ++uid) {
        const std::string folded = fold(dialect, reference_.names()[uid]);
        if (!folded.empty() && folded == fold(dialect, url)) same.push_back(uid);
      }
      expect_same(archive_.folded(url, dialect), same, "folded");
    }
  }

  void pages(Time first, Time last) const {
    std::vector<Uid> expected;
    for (Uid uid = 0; uid < reference_.names().size(); ++uid) {
      const auto& rows = reference_.page(uid).rows;
      const auto row = rows.lower_bound(first);
      if (first <= last && row != rows.end() && row->first <= last) expected.push_back(uid);
    }
    std::vector<Uid> found;
    const auto keep = [&](Uid uid) {
      found.push_back(uid);
      return true;
    };
    archive_.pages({first, last}, keep);
    expect_same(found, expected, "pages of an interval");
    if (first == kFirstTime && last == kLastTime) {
      found.clear();
      archive_.pages(keep);
      expect_same(found, expected, "pages");
    }
  }

  void page(Uid uid) const {
    std::vector<Time> times;
    for (const auto& [time, row] : reference_.page(uid).rows) times.push_back(time);
    expect_same(archive_.capture_times(uid), times, "capture times");
    const auto out = reference_.links(uid, kFirstTime, kLastTime);
    const auto in = reference_.in_links(uid, kFirstTime, kLastTime);
    expect_same(archive_.links(uid), out, "links");
    expect_same(archive_.links(uid, Direction::In), in, "in-links");
    expect_same<std::uint64_t>(archive_.link_count(uid), out.size(), "link count");
    expect_same<std::uint64_t>(archive_.link_count(uid, Direction::In), in.size(), "in-degree");
    facts(uid);
    sightings(uid);
    history(uid, kFirstTime, kLastTime);
  }

  void interval(Uid uid, Time first, Time last) const {
    const TimeInterval interval{first, last};
    expect_same(archive_.links(uid, interval), reference_.links(uid, first, last), "during");
    expect_same(archive_.links(uid, interval, Direction::In), reference_.in_links(uid, first, last),
                "in-links during");
    // The coarse answer is that of the interval grown to whole ranges.
    const Time length = archive_.manifest().options.range_seconds;
    std::vector<Uid> coarse;
    for (const Uid source : reference_.in_links(uid, kFirstTime, kLastTime)) {
      bool touches = false;
      for (const auto& [time, row] : reference_.page(source).rows) {
        const auto range = range_of(time, length);
        touches |= first <= last && range >= range_of(first, length) &&
                   range <= range_of(last, length) && row.contains(reference_.names()[uid]);
      }
      if (touches) coarse.push_back(source);
    }
    expect_same(archive_.in_links_by_range(uid, interval), coarse, "in-links by range");
    history(uid, first, last);
  }

  void moment(Uid uid, Time time) const {
    const ReferenceState expected = reference_.at(uid, time);
    const PageAt found = archive_.links_at(uid, time);
    expect_same(found.state, expected.state, "state");
    expect_same(found.since, expected.since, "since");
    expect_same(found.captured, expected.captured, "captured");
    expect_same(told(found.links), expected_links(reference_, expected.links), "links at");
    ASSERT_TRUE(std::ranges::is_sorted(found.links, {}, &LinkAt::node));

    // A move that no capture shows is in no layer of in-links.
    std::map<Uid, ReferenceLink> sources;
    for (const Uid source : reference_.in_links(uid, kFirstTime, kLastTime)) {
      const ReferenceState state = reference_.at(source, time);
      const auto link = state.links.find(reference_.names()[uid]);
      if (link != state.links.end()) sources[source] = {link->second.kinds, link->second.count};
    }
    expect_same(told(archive_.in_links_at(uid, time)), sources, "in-links at");
  }

 private:
  void facts(Uid uid) const {
    PageFacts page;
    archive_.page(uid, page);
    std::map<Time, std::map<Uid, ReferenceLink>> rows;
    std::map<Time, std::map<Uid, ReferenceLink>> expected;
    for (std::size_t row = 0; row < page.row_count(); ++row) {
      auto& links = rows[page.times[row]];
      for (std::size_t i = page.row_start(row); i < page.row_ends[row]; ++i) {
        links[page.targets[i]] = {page.values[i].kinds, page.values[i].count};
      }
    }
    for (const auto& [time, row] : reference_.page(uid).rows) {
      expected[time] = expected_links(reference_, row);
    }
    expect_same(rows, expected, "rows");
  }

  // All fields of a sighting, and the place of its record.
  using Content = std::tuple<Time, int, int, int, std::optional<std::int16_t>, std::string,
                             std::string, std::string, std::string, std::optional<Time>,
                             std::string, std::optional<std::uint64_t>, std::string>;
  using Place = std::tuple<bool, std::string, bool, std::optional<std::uint64_t>>;
  static Content content_of(const Sighting& s) {
    return {s.time,
            static_cast<int>(s.kind),
            static_cast<int>(s.outcome),
            static_cast<int>(s.revisit_profile),
            s.status,
            s.digest,
            s.mime,
            s.redirect_target,
            s.refers_to_url == s.url ? std::string() : s.refers_to_url,
            s.refers_to_time,
            s.crawl,
            s.text_length,
            s.spelling};
  }
  static Place place_of(const Sighting& s) {
    return {s.file.empty(), s.file, !s.offset.has_value(), s.offset};
  }

  void sightings(Uid uid) const {
    // Captures that differ in whether their links are known are two sightings.
    std::map<std::pair<Content, bool>, Place> best;
    for (const auto& [sighting, has_links] : reference_.page(uid).sightings) {
      const auto [entry, is_new] =
          best.try_emplace({content_of(sighting), has_links}, place_of(sighting));
      if (!is_new) entry->second = std::min(entry->second, place_of(sighting));
    }
    std::vector<std::pair<Content, Place>> expected;
    for (const auto& [key, place] : best) expected.emplace_back(key.first, place);
    std::vector<std::pair<Content, Place>> found;
    for (const Sighting& sighting : archive_.sightings(uid)) {
      found.emplace_back(content_of(sighting), place_of(sighting));
      ASSERT_EQ(sighting.url, reference_.names()[uid]);
    }
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    expect_same(found, expected, "sightings");
  }

  static void expect_history(const LinkHistory& found, const ReferenceHistory& expected) {
    expect_same(found.first, expected.first, "first");
    expect_same(found.last, expected.last, "last");
    expect_same(found.captures, expected.captures, "captures");
    expect_same(found.kinds.bits(), expected.kinds, "kinds");
  }

  void history(Uid uid, Time first, Time last) const {
    const bool is_ever = first == kFirstTime && last == kLastTime;
    const auto during = is_ever ? std::nullopt : std::optional(TimeInterval{first, last});
    const auto expected = reference_.history(uid, first, last);
    const auto found = archive_.history(uid, Direction::Out, during);
    expect_same(found.size(), expected.size(), "histories");
    for (const LinkHistory& history : found) {
      ASSERT_EQ(history.source, uid);
      ASSERT_TRUE(expected.contains(history.target));
      expect_history(history, expected.at(history.target));
      if (is_ever) expect_same(archive_.history(uid, history.target), {history}, "history");
    }
    const auto in = archive_.history(uid, Direction::In, during);
    expect_same(in.size(), reference_.in_links(uid, first, last).size(), "in histories");
    for (const LinkHistory& history : in) {
      ASSERT_EQ(history.target, uid);
      expect_history(history, reference_.history(history.source, first, last).at(uid));
    }
  }

  const Archive& archive_;
  const Reference& reference_;
};

}  // namespace webstrata
