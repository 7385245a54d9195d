// SPDX-License-Identifier: Apache-2.0

// Differences and statistics against the slow reference, and small cases by hand.

#include "webstrata/archive/ask/comparison.h"

#include <cmath>
#include <ctime>

#include <gtest/gtest.h>

#include "tests/archive/random_facts.h"
#include "tests/archive/reference.h"
#include "tests/archive/small_archive.h"
#include "tests/temporary_folder.h"
#include "webstrata/url/host.h"

namespace webstrata {
namespace {

using Crawl = std::vector<Capture>;
using HostCounts = std::array<std::uint64_t, 8>;

HostCounts counts_of(const HostDifference& host) {
  return {host.pages_kept, host.pages_appeared, host.pages_vanished, host.pages_not_seen,
          host.links_kept, host.links_appeared, host.links_vanished, host.links_not_seen};
}

std::string host_of(const std::string& url) {
  Url parsed;
  parse_url(url, parsed);
  return std::string(parsed.host());
}

using Change3 = std::tuple<Uid, std::optional<Uid>, Change>;

struct ReferenceDiff {
  std::vector<std::pair<std::string, HostCounts>> hosts;
  std::vector<Change3> changes;
};

std::set<Uid> targets_of(const Reference& reference, const ReferenceState& state, LinkKinds kinds) {
  std::set<Uid> targets;
  for (const auto& [target, link] : state.links) {
    if (LinkKinds::from_bits(link.kinds).intersects(kinds)) targets.insert(reference.uid(target));
  }
  return targets;
}

// Whether some sighting after `first`, up to `last`, says anything about the page.
bool is_seen_between(const Reference& reference, Uid uid, Time first, Time last) {
  for (const auto& [sighting, has_links] : reference.page(uid).sightings) {
    const Time time = sighting.time;
    if (time > first && time <= last && reference.at(uid, time).since == time) return true;
  }
  return false;
}

ReferenceDiff reference_diff(const Reference& reference, Time t0, Time t1, LinkKinds kinds) {
  ReferenceDiff diff;
  const auto is_page = [](const ReferenceState& state) {
    return state.state == PageState::Present || state.state == PageState::Moved;
  };
  for (Uid uid = 0; uid < reference.names().size(); ++uid) {
    const ReferenceState before = reference.at(uid, t0);
    const ReferenceState after = reference.at(uid, t1);
    if (!is_page(before) && !is_page(after)) continue;
    const std::string host = host_of(reference.names()[uid]);
    if (diff.hosts.empty() || diff.hosts.back().first != host) diff.hosts.push_back({host, {}});
    HostCounts& counts = diff.hosts.back().second;
    const Time first = std::min(t0, t1);
    const Time last = std::max(t0, t1);
    if (is_page(before) && is_page(after)) {
      const bool is_seen = is_seen_between(reference, uid, first, last);
      ++counts[is_seen ? 0 : 3];
      if (!is_seen) diff.changes.push_back({uid, std::nullopt, Change::NotSeen});
    } else {
      ++counts[is_page(after) ? 1 : 2];
      diff.changes.push_back(
          {uid, std::nullopt, is_page(after) ? Change::Appeared : Change::Vanished});
    }
    const auto captured = reference.at(uid, last).captured;
    const bool has_new_links = captured && *captured > first;
    const std::set<Uid> old_links = targets_of(reference, before, kinds);
    const std::set<Uid> new_links = targets_of(reference, after, kinds);
    std::set<Uid> all = old_links;
    all.insert(new_links.begin(), new_links.end());
    for (const Uid target : all) {
      if (old_links.contains(target) && new_links.contains(target)) {
        ++counts[has_new_links ? 4 : 7];
      } else {
        const bool is_new = new_links.contains(target);
        ++counts[is_new ? 5 : 6];
        diff.changes.push_back({uid, target, is_new ? Change::Appeared : Change::Vanished});
      }
    }
  }
  return diff;
}

TEST(Diff, IsThatOfTheReference) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(200));
    const auto path = folder / ("a" + std::to_string(seed));
    ArchiveOptions options = small_archive_options();
    build_archive(path, crawl, options);
    const Archive archive = Archive::open(path);
    const Reference reference(crawl, options.kinds);
    for (unsigned round = 0; round < 6; ++round) {
      const auto t0 = static_cast<Time>(1'000'000'000 + random.below(12) * 1'000'000);
      const auto t1 = static_cast<Time>(1'000'000'000 + random.below(12) * 1'000'000);
      ScanOptions scan;
      scan.work.threads = 1 + round % 2;
      if (round == 5) scan.kinds = LinkKind::Nofollow;
      const ReferenceDiff expected = reference_diff(reference, t0, t1, scan.kinds);
      std::vector<Change3> changes;
      const DiffResult found = diff(archive, t0, t1, scan, [&](const Difference& difference) {
        changes.push_back({difference.source, difference.target, difference.change});
      });
      ASSERT_EQ(changes, expected.changes);
      ASSERT_EQ(found.hosts.size(), expected.hosts.size());
      HostCounts total = {};
      for (std::size_t i = 0; i < expected.hosts.size(); ++i) {
        EXPECT_EQ(found.hosts[i].host, expected.hosts[i].first);
        EXPECT_EQ(counts_of(found.hosts[i]), expected.hosts[i].second);
        for (std::size_t j = 0; j < total.size(); ++j) total[j] += expected.hosts[i].second[j];
      }
      EXPECT_EQ(counts_of(found.total), total);
    }
  }
}

// Seven pages, all there in the first year with a link to /home, and what the second year saw.
TEST(Diff, TellsWhatWasSeenAgainFromWhatNobodyLookedAt) {
  constexpr Time kFirst = 1000;
  constexpr Time kSecond = 2000;
  const TemporaryFolder folder;
  Crawl crawl;
  const auto add = [&](const std::string& url, Time time, Outcome outcome, bool links_known) {
    Capture& capture = crawl.emplace_back();
    capture.sighting.url = "http://a.example/" + url;
    capture.sighting.time = time;
    capture.sighting.outcome = outcome;
    capture.links_known = links_known;
    if (!links_known) return;
    Link link;
    link.target = "http://a.example/home";
    link.kinds = LinkKind::Navigation;
    capture.links.add(link);
  };
  for (const char* page : {"captured", "indexed", "refused", "silent", "gone", "forgotten"}) {
    add(page, kFirst, Outcome::Alive, true);
  }
  add("captured", kSecond, Outcome::Alive, true);
  add("indexed", kSecond, Outcome::Alive, false);  // a line of an index: its links are not known
  add("refused", kSecond, Outcome::Blocked, false);
  add("silent", kSecond, Outcome::Unreachable, false);
  add("gone", kSecond, Outcome::Gone, false);
  add("new", kSecond, Outcome::Alive, true);
  build_archive(folder / "a", crawl);
  const Archive archive = Archive::open(folder / "a");
  std::map<std::string, Change> changes;
  const DiffResult found = diff(archive, kFirst, kSecond, {}, [&](const Difference& difference) {
    if (!difference.target) changes[archive.url(difference.source)] = difference.change;
  });
  // Kept: captured, indexed. Not seen: refused, silent, forgotten.
  EXPECT_EQ(counts_of(found.total), (HostCounts{2, 1, 1, 3, 1, 1, 1, 4}));
  const std::map<std::string, Change> expected = {{"http://a.example/forgotten", Change::NotSeen},
                                                  {"http://a.example/gone", Change::Vanished},
                                                  {"http://a.example/new", Change::Appeared},
                                                  {"http://a.example/refused", Change::NotSeen},
                                                  {"http://a.example/silent", Change::NotSeen}};
  EXPECT_EQ(changes, expected);
  // In reverse, what appeared vanishes, and pages without a later sighting stay unknown.
  EXPECT_EQ(counts_of(diff(archive, kSecond, kFirst).total), (HostCounts{2, 1, 1, 3, 1, 1, 1, 4}));
  // In no time at all nothing is seen again.
  EXPECT_EQ(counts_of(diff(archive, kSecond, kSecond).total), (HostCounts{0, 0, 0, 6, 0, 0, 0, 6}));
}

int year_of_time(Time time) {
  constexpr Time kFirst = -62135596800;
  constexpr Time kLast = 253402300799;
  const std::time_t moment = std::clamp(time, kFirst, kLast);
  std::tm fields{};
  gmtime_r(&moment, &fields);
  return fields.tm_year + 1900;
}

void count_days(std::vector<std::uint64_t>& histogram, Time first, Time last) {
  // Both ends may be anywhere in 64 bits; a long double can represent their distance.
  const long double seconds = static_cast<long double>(last) - static_cast<long double>(first);
  const long double days = std::floor(seconds / 86400);
  std::size_t k = 0;
  while (std::ldexp(2.0L, static_cast<int>(k)) <= days + 1) ++k;
  histogram.resize(std::max(histogram.size(), k + 1));
  ++histogram[k];
}

// "host/dir/" of a URL.
std::string directory_of(const std::string& url) {
  const std::string rest = url.substr(url.find("//") + 2);
  const std::string path = rest.substr(0, rest.find('?'));
  return path.substr(0, path.rfind('/') + 1);
}

LinkStatistics reference_statistics(const Reference& reference, const StatisticsOptions& options) {
  LinkStatistics sums;
  std::map<std::string, std::vector<std::set<Uid>>> by_host;
  std::map<std::string, std::vector<std::set<Uid>>> by_directory;
  for (Uid uid = 0; uid < reference.names().size(); ++uid) {
    const std::string& name = reference.names()[uid];
    std::vector<std::pair<Time, std::set<Uid>>> rows;
    for (const auto& [time, row] : reference.page(uid).rows) {
      std::set<Uid> targets;
      for (const auto& [target, link] : row) {
        if (LinkKinds::from_bits(link.kinds).intersects(options.scan.kinds)) {
          targets.insert(reference.uid(target));
        }
      }
      rows.emplace_back(time, targets);
    }
    if (rows.empty()) continue;
    ++sums.pages;
    ++sums.years[year_of_time(rows[0].first)].new_pages;
    std::set<Uid> ever;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      LinkStatistics::Year& year = sums.years[year_of_time(rows[i].first)];
      ++sums.captures;
      ++year.captures;
      sums.link_facts += rows[i].second.size();
      year.link_facts += rows[i].second.size();
      for (const Uid target : rows[i].second) {
        if (i > 0 && !rows[i - 1].second.contains(target)) {
          ++sums.births;
          ++year.births;
          if (ever.contains(target)) ++sums.returns;
        }
        ever.insert(target);
      }
      for (const Uid target : i > 0 ? rows[i - 1].second : std::set<Uid>()) {
        if (rows[i].second.contains(target)) continue;
        ++sums.deaths;
        ++year.deaths;
      }
    }
    Url url;
    parse_url(name, url);
    const std::string_view domain = registered_domain(url.host());
    for (const Uid target : ever) {
      ++sums.links;
      std::vector<Time> seen;
      for (const auto& [time, row] : rows) {
        if (row.contains(target)) seen.push_back(time);
      }
      count_days(rows.back().second.contains(target) ? sums.lifetime_days_censored
                                                     : sums.lifetime_days_ended,
                 seen.front(), seen.back());
      const std::string target_host = host_of(reference.names()[target]);
      if (directory_of(reference.names()[target]).starts_with(directory_of(name))) {
        ++sums.same_directory;
      } else if (target_host == url.host()) {
        ++sums.same_host;
      } else if (!domain.empty() && registered_domain(target_host) == domain) {
        ++sums.same_domain;
      } else {
        ++sums.elsewhere;
      }
    }
    by_host[host_of(name)].push_back(rows.back().second);
    by_directory[directory_of(name)].push_back(rows.back().second);
    sums.last_capture_links += rows.back().second.size();
  }
  const auto find_menus = [&](const auto& places, bool is_global) {
    for (const auto& [place, pages] : places) {
      if (pages.size() < options.menu_pages_min) continue;
      std::map<Uid, std::uint64_t> counts;
      for (const std::set<Uid>& links : pages) {
        for (const Uid target : links) ++counts[target];
      }
      LinkStatistics::Menu menu{place, is_global, pages.size(), {}};
      for (const auto& [target, count] : counts) {
        if (static_cast<double>(count) >= options.menu_share * static_cast<double>(pages.size())) {
          menu.targets.push_back(target);
        }
      }
      if (!menu.targets.empty()) sums.menus.push_back(menu);
    }
  };
  find_menus(by_host, true);
  find_menus(by_directory, false);
  return sums;
}

using MenuTuple = std::tuple<std::string, bool, std::uint64_t, std::vector<Uid>>;
std::vector<MenuTuple> sorted_menus(const LinkStatistics& statistics) {
  std::vector<MenuTuple> menus;
  for (const LinkStatistics::Menu& menu : statistics.menus) {
    menus.emplace_back(menu.place, menu.is_global, menu.pages, menu.targets);
  }
  std::sort(menus.begin(), menus.end());
  return menus;
}

TEST(LinkStatistics, AreThoseOfTheReference) {
  const TemporaryFolder folder;
  std::size_t menu_count = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(300));
    const auto path = folder / ("a" + std::to_string(seed));
    ArchiveOptions options = small_archive_options();
    build_archive(path, crawl, options);
    const Reference reference(crawl, options.kinds);
    StatisticsOptions wanted;
    wanted.scan.work.threads = 1 + seed % 2;
    wanted.menu_share = 0.25;
    wanted.menu_pages_min = 3;
    if (seed % 5 == 0) wanted.scan.kinds = LinkKind::Nofollow;
    const LinkStatistics found = link_statistics(Archive::open(path), wanted);
    const LinkStatistics expected = reference_statistics(reference, wanted);
    EXPECT_EQ(found.pages, expected.pages);
    EXPECT_EQ(found.captures, expected.captures);
    EXPECT_EQ(found.links, expected.links);
    EXPECT_EQ(found.link_facts, expected.link_facts);
    EXPECT_EQ(found.births, expected.births);
    EXPECT_EQ(found.deaths, expected.deaths);
    EXPECT_EQ(found.returns, expected.returns);
    ASSERT_EQ(found.years.size(), expected.years.size());
    for (const auto& [year, counts] : expected.years) {
      const LinkStatistics::Year& other = found.years.at(year);
      EXPECT_EQ(other.captures, counts.captures);
      EXPECT_EQ(other.new_pages, counts.new_pages);
      EXPECT_EQ(other.link_facts, counts.link_facts);
      EXPECT_EQ(other.births, counts.births);
      EXPECT_EQ(other.deaths, counts.deaths);
    }
    EXPECT_EQ(found.lifetime_days_ended, expected.lifetime_days_ended);
    EXPECT_EQ(found.lifetime_days_censored, expected.lifetime_days_censored);
    EXPECT_EQ(found.same_directory, expected.same_directory);
    EXPECT_EQ(found.same_host, expected.same_host);
    EXPECT_EQ(found.same_domain, expected.same_domain);
    EXPECT_EQ(found.elsewhere, expected.elsewhere);
    EXPECT_EQ(sorted_menus(found), sorted_menus(expected));
    EXPECT_EQ(found.last_capture_links, expected.last_capture_links);
    menu_count += found.menus.size();
  }
  EXPECT_GT(menu_count, 0U);
}

// Six pages of a host, all with a link to /home; the three in /d/ also to /d/up.
TEST(LinkStatistics, FindsTheMenusOfHostAndDirectory) {
  const TemporaryFolder folder;
  Crawl crawl;
  const auto add_page = [&](const std::string& url, const std::vector<std::string>& targets) {
    Capture& capture = crawl.emplace_back();
    capture.sighting.url = url;
    capture.sighting.outcome = Outcome::Alive;
    capture.links_known = true;
    for (const std::string& target : targets) {
      Link link;
      link.target = target;
      link.kinds = LinkKind::Navigation;
      capture.links.add(link);
    }
  };
  const std::string home = "http://a.example/home";
  const std::string up = "http://a.example/d/up";
  for (int i = 0; i < 3; ++i) {
    const std::string number = std::to_string(i);
    add_page("http://a.example/" + number, {home, "http://b.example/" + number});
    add_page("http://a.example/d/" + number, {home, up});
  }
  build_archive(folder / "a", crawl);
  const Archive archive = Archive::open(folder / "a");
  StatisticsOptions options;
  options.menu_pages_min = 3;
  const LinkStatistics statistics = link_statistics(archive, options);
  ASSERT_EQ(statistics.menus.size(), 3U);
  EXPECT_EQ(statistics.menus[0].place, "a.example");
  EXPECT_TRUE(statistics.menus[0].is_global);
  EXPECT_EQ(statistics.menus[0].pages, 6U);
  EXPECT_EQ(statistics.menus[0].targets, std::vector<Uid>{*archive.uid(home)});
  EXPECT_EQ(statistics.menus[1].place, "a.example/");
  EXPECT_EQ(statistics.menus[2].place, "a.example/d/");
  EXPECT_EQ(statistics.menus[2].targets.size(), 2U);
  EXPECT_EQ(statistics.menu_links, 6U + 3U);  // home six times, up three times
  EXPECT_EQ(statistics.last_capture_links, 12U);
}

}  // namespace
}  // namespace webstrata
