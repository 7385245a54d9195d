// SPDX-License-Identifier: Apache-2.0

// Scans of all pages of a host against the answers node by node, on random crawls; what became of
// pages against diff().

#include "webstrata/serve/ask/wide_scans.h"

#include <numeric>

#include <gtest/gtest.h>

#include "tests/archive/random_facts.h"
#include "tests/archive/small_archive.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/ask/page_changes.h"

namespace webstrata::serve {
namespace {

std::vector<Uid> nodes_in(UidRange range) {
  std::vector<Uid> nodes(range.empty() ? 0 : range.end - range.first);
  std::iota(nodes.begin(), nodes.end(), range.first);
  return nodes;
}

// A part of the nodes of an archive, whole blocks and pieces of blocks.
UidRange random_range(Random& random, const Archive& archive) {
  const Uid first = random.below(archive.node_count());
  return {first, first + random.below(archive.node_count() - first + 1)};
}

Capture page_with_link(const std::string& url, Time time, const std::string& target) {
  Capture capture;
  capture.sighting.url = url;
  capture.sighting.time = time;
  capture.sighting.status = 200;
  capture.sighting.outcome = Outcome::Alive;
  capture.links_known = true;
  Link link;
  link.target = target;
  link.kinds = LinkKind::Navigation;
  capture.links.add(link);
  return capture;
}

TEST(WideScans, CountLinksAsNodeByNode) {
  std::uint64_t groups_seen = 0;
  for (std::uint64_t seed = 1; seed <= seed_count(40); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const TemporaryFolder folder;
    build_archive(folder.path() / "lib.ws", random_crawl(random, 60));
    const Archive archive = Archive::open(folder.path() / "lib.ws");
    for (const Direction direction : {Direction::Out, Direction::In}) {
      GroupQuestion question{.nodes = random_range(random, archive), .direction = direction};
      question.by_domain = random.chance(0.5);
      if (random.chance(0.5)) question.during = TimeInterval{1'002'000'000, 1'008'000'000};
      if (random.chance(0.3)) question.kinds = LinkKind::Nofollow;
      const LinkGroups slow = link_groups(archive, nodes_in(question.nodes), question);
      EXPECT_EQ(link_groups(archive, question, {.threads = 1}), slow);
      EXPECT_EQ(link_groups(archive, question, {.threads = 2}), slow);
      groups_seen += slow.size();
    }
  }
  EXPECT_GT(groups_seen, 0U);
}

// A wrong clock may say any year; the count of a link that lived for ages must end.
TEST(WideScans, CountEachYearOfALife) {
  const TemporaryFolder folder;
  const Time year = 31'556'952;
  const Time begin = -62'135'596'800;  // 0001-01-01
  const std::vector<Capture> crawl = {page_with_link("http://a.example/", begin, "http://b.example/"),
                 page_with_link("http://a.example/", begin + 9998 * year, "http://b.example/"),
                 page_with_link("http://c.example/", begin + 2000 * year, "http://b.example/")};
  build_archive(folder.path() / "lib.ws", crawl);
  const Archive archive = Archive::open(folder.path() / "lib.ws");
  const LinkGroups groups = link_groups(archive, GroupQuestion{.nodes = {0, archive.node_count()}});
  const LinkGroup& into = groups.at("b.example");
  EXPECT_EQ(into.years.size(), 9999U);
  EXPECT_EQ(into.years.at(1), 1U);
  EXPECT_EQ(into.years.at(2001), 2U);
  EXPECT_EQ(into.years.at(9999), 1U);
}

TEST(WideScans, CountBirthsAndDeathsAsAllPagesAtOnce) {
  for (std::uint64_t seed = 1; seed <= seed_count(20); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const TemporaryFolder folder;
    build_archive(folder.path() / "lib.ws", random_crawl(random, 60));
    const Archive archive = Archive::open(folder.path() / "lib.ws");
    const UidRange range = random_range(random, archive);
    const LinkChurn slow = link_churn(archive, nodes_in(range));
    const ChurnSums fast = churn_sums(archive, range);
    EXPECT_EQ(fast.pages, slow.pages.size());
    ASSERT_EQ(fast.months.size(), slow.months.size());
    for (const auto& [name, month] : slow.months) {
      EXPECT_EQ(fast.months.at(name).captures, month.captures);
      EXPECT_EQ(fast.months.at(name).new_pages, month.new_pages);
      EXPECT_EQ(fast.months.at(name).births, month.births);
      EXPECT_EQ(fast.months.at(name).deaths, month.deaths);
    }
  }
}

// Page by page what diff() counts by host.
TEST(WideScans, PageChangesAreThoseThatDiffCounts) {
  for (std::uint64_t seed = 1; seed <= seed_count(20); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const TemporaryFolder folder;
    build_archive(folder.path() / "lib.ws", random_crawl(random, 60));
    const Archive archive = Archive::open(folder.path() / "lib.ws");
    const Time t0 = 1'003'000'000;
    const Time t1 = 1'008'000'000;
    std::map<Change, std::uint64_t> counts;
    for (const PageChange& page : page_changes(archive, {0, archive.node_count()}, t0, t1)) {
      ++counts[page.change];
    }
    const HostDifference total = diff(archive, t0, t1).total;
    EXPECT_EQ(counts[Change::Kept], total.pages_kept);
    EXPECT_EQ(counts[Change::Appeared], total.pages_appeared);
    EXPECT_EQ(counts[Change::Vanished], total.pages_vanished);
    EXPECT_EQ(counts[Change::NotSeen], total.pages_not_seen);
    const UidRange some = random_range(random, archive);
    for (const PageChange& page : page_changes(archive, some, t0, t1)) {
      EXPECT_TRUE(page.uid >= some.first && page.uid < some.end);
    }
  }
}

}  // namespace
}  // namespace webstrata::serve
