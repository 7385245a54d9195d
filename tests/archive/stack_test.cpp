// SPDX-License-Identifier: Apache-2.0

// Stacks of strata: random crawls are cut into random updates, each a stratum of its own. After
// every step the stack answers as one build of the same facts does, and as the reference.

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "tests/archive/reference.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/ask/comparison.h"
#include "webstrata/archive/ask/scores.h"
#include "webstrata/archive/forget.h"
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/archive/verify.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr std::array<Time, 6> kTimes = {999'999'999,   1'000'000'000, 1'003'000'000,
                                        1'006'500'000, 1'011'000'000, 4'000'000'000};

bool is_same_state(const PageAt& a, const PageAt& b) {
  return a.state == b.state && a.since == b.since && a.captured == b.captured && a.links == b.links;
}

void expect_same_page(const Archive& stack, const Archive& whole, Uid uid) {
  ASSERT_EQ(stack.url(uid), whole.url(uid));
  ASSERT_EQ(stack.uid(whole.url(uid)), uid);
  PageFacts facts;
  PageFacts expected;
  stack.page(uid, facts);
  whole.page(uid, expected);
  ASSERT_EQ(facts, expected);
  ASSERT_EQ(stack.capture_times(uid), whole.capture_times(uid));
  for (const Direction direction : {Direction::Out, Direction::In}) {
    ASSERT_EQ(stack.links(uid, direction), whole.links(uid, direction));
    ASSERT_EQ(stack.link_count(uid, direction), whole.link_count(uid, direction));
    ASSERT_EQ(stack.history(uid, direction), whole.history(uid, direction));
    for (const Time time : kTimes) {
      const TimeInterval during = {kTimes[0], time};
      ASSERT_EQ(stack.links(uid, during, direction), whole.links(uid, during, direction));
      ASSERT_EQ(stack.history(uid, direction, during), whole.history(uid, direction, during));
    }
  }
  for (const Time time : kTimes) {
    ASSERT_EQ(stack.in_links_by_range(uid, {time, time + 2'000'000}),
              whole.in_links_by_range(uid, {time, time + 2'000'000}));
    ASSERT_TRUE(is_same_state(stack.links_at(uid, time), whole.links_at(uid, time)));
    ASSERT_EQ(stack.in_links_at(uid, time), whole.in_links_at(uid, time));
  }
}

std::vector<Uid> pages_of(const Archive& archive, std::optional<TimeInterval> during) {
  std::vector<Uid> pages;
  const auto visit = [&](Uid uid) {
    pages.push_back(uid);
    return true;
  };
  during ? archive.pages(*during, visit) : archive.pages(visit);
  return pages;
}

// All sections of a direction, joined by node.
std::vector<PageFacts> scanned(const Archive& archive, Direction direction) {
  std::vector<PageFacts> nodes(archive.node_count());
  StackRows rows(archive.stack(), direction);
  rows.seek(0);
  PageLayers section;
  PageFacts part;
  while (const auto node = rows.next_node()) {
    rows.read(section);
    section.values.resize(section.ones.size());
    from_layers(section, part);
    append(nodes[*node], part);
  }
  for (PageFacts& node : nodes) normalise(node);
  return nodes;
}

std::vector<std::uint64_t> numbers_of(const HostDifference& counts) {
  return {counts.pages_kept, counts.pages_appeared, counts.pages_vanished, counts.pages_not_seen,
          counts.links_kept, counts.links_appeared, counts.links_vanished, counts.links_not_seen};
}

void expect_same_scans(const Archive& stack, const Archive& whole) {
  const DiffResult changes = diff(stack, kTimes[1], kTimes[3]);
  const DiffResult expected = diff(whole, kTimes[1], kTimes[3]);
  EXPECT_EQ(numbers_of(changes.total), numbers_of(expected.total));
  ASSERT_EQ(changes.hosts.size(), expected.hosts.size());
  for (std::size_t i = 0; i < changes.hosts.size(); ++i) {
    EXPECT_EQ(changes.hosts[i].host, expected.hosts[i].host);
    EXPECT_EQ(numbers_of(changes.hosts[i]), numbers_of(expected.hosts[i]));
  }
  const LinkStatistics sums = link_statistics(stack);
  const LinkStatistics due = link_statistics(whole);
  EXPECT_EQ(sums.pages, due.pages);
  EXPECT_EQ(sums.captures, due.captures);
  EXPECT_EQ(sums.links, due.links);
  EXPECT_EQ(sums.link_facts, due.link_facts);
  EXPECT_EQ(sums.births, due.births);
  EXPECT_EQ(sums.deaths, due.deaths);
  EXPECT_EQ(sums.returns, due.returns);
  EXPECT_EQ(sums.years.size(), due.years.size());
  EXPECT_EQ(sums.lifetime_days_ended, due.lifetime_days_ended);
  EXPECT_EQ(sums.lifetime_days_censored, due.lifetime_days_censored);
  EXPECT_EQ(sums.same_directory, due.same_directory);
  EXPECT_EQ(sums.elsewhere, due.elsewhere);
  EXPECT_EQ(sums.menu_links, due.menu_links);
  EXPECT_EQ(sums.last_capture_links, due.last_capture_links);
}

void expect_same_answers(const Archive& stack, const Archive& whole) {
  ASSERT_EQ(stack.manifest().counts, whole.manifest().counts);
  ASSERT_EQ(stack.node_count(), whole.node_count());
  for (Uid uid = 0; uid < whole.node_count(); ++uid) expect_same_page(stack, whole, uid);
  EXPECT_EQ(stack.uid("http://a.example/nowhere"), std::nullopt);
  EXPECT_EQ(stack.range(host_keys("a.example")), whole.range(host_keys("a.example")));
  EXPECT_EQ(stack.range(domain_keys("b.example")), whole.range(domain_keys("b.example")));
  EXPECT_EQ(pages_of(stack, std::nullopt), pages_of(whole, std::nullopt));
  EXPECT_EQ(pages_of(stack, TimeInterval{kTimes[1], kTimes[2]}),
            pages_of(whole, TimeInterval{kTimes[1], kTimes[2]}));
  for (const Direction direction : {Direction::Out, Direction::In}) {
    ASSERT_EQ(scanned(stack, direction), scanned(whole, direction));
  }
  for (std::uint64_t block = 0; block < whole.stack().block_count(); ++block) {
    KeyList keys;
    KeyList expected;
    read_keys(stack.stack(), block, keys);
    read_keys(whole.stack(), block, expected);
    ASSERT_EQ(keys.bytes, expected.bytes);
    ASSERT_EQ(keys.ends, expected.ends);
    ASSERT_EQ(filled_nodes(stack.stack(), Layer::Sightings, block),
              filled_nodes(whole.stack(), Layer::Sightings, block));
  }
}

// The links of the reference, which shares no code with either.
void expect_reference(const Archive& stack, const Reference& reference) {
  ASSERT_EQ(stack.node_count(), reference.names().size());
  for (Uid uid = 0; uid < stack.node_count(); ++uid) {
    ASSERT_EQ(stack.url(uid), reference.names()[uid]);
    ASSERT_EQ(stack.links(uid, {kTimes[0], kTimes[5]}), reference.links(uid, kTimes[0], kTimes[5]));
    ASSERT_EQ(stack.links(uid, {kTimes[0], kTimes[5]}, Direction::In),
              reference.in_links(uid, kTimes[0], kTimes[5]));
  }
}

std::vector<Crawl> random_pieces(Random& random, const Crawl& crawl) {
  std::vector<Crawl> pieces(1 + random.below(12));
  for (const Capture& capture : crawl) {
    pieces[random.below(pieces.size())].push_back(capture);
    if (random.chance(0.1)) pieces[random.below(pieces.size())].push_back(capture);
  }
  std::erase_if(pieces, [](const Crawl& piece) { return piece.empty(); });
  return pieces;
}

TEST(Stack, AnswersAsOneBuildAndCompactsToItsBytes) {
  const TemporaryFolder folder;
  std::size_t highest = 0;
  std::size_t whole_pages = 0;
  for (std::uint64_t seed = 1; seed <= seed_count(60); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 2 + random.below(seed % 10 == 0 ? 120 : 20));
    ArchiveOptions options = small_archive_options();
    options.block_bits = static_cast<std::uint32_t>(2 + random.below(5));
    options.range_seconds = random.chance(0.3) ? 0 : 1'500'000;
    const auto stack = folder.path() / ("stack" + std::to_string(seed));
    const auto whole = folder.path() / ("whole" + std::to_string(seed));
    Crawl facts;
    for (const Crawl& piece : random_pieces(random, crawl)) {
      if (facts.empty()) {
        build(stack, piece, 1, 1000, options);
      } else {
        update(stack, piece, 1 + seed % 2, random.chance(0.7) ? Merging::Later : Merging::WhenDue);
      }
      facts.insert(facts.end(), piece.begin(), piece.end());
      std::filesystem::remove_all(whole);
      build(whole, facts, 1, 1000, options);
      const Archive stacked = Archive::open(stack);
      highest = std::max(highest, stacked.stack().size());
      whole_pages += stacked.stack().replaces_pages() ? 1 : 0;
      ASSERT_NO_FATAL_FAILURE(expect_same_answers(stacked, Archive::open(whole)));
      ASSERT_NO_FATAL_FAILURE(expect_same_scans(stacked, Archive::open(whole)));
      ASSERT_NO_FATAL_FAILURE(expect_reference(stacked, Reference(facts, options.kinds)));
      const VerifyResult verified = verify(stack, {});
      ASSERT_TRUE(verified.is_clean()) << verified.problems.front();
    }
    WriteOptions write;
    write.work.threads = 1 + seed % 2;
    compact(stack, write);
    ASSERT_EQ(difference(layer_files(stack), layer_files(whole)), "");
    ASSERT_EQ(Manifest::load(stack).counts, Manifest::load(whole).counts);
    EXPECT_FALSE(Manifest::load(stack).is_stack());
    std::filesystem::remove_all(stack);
    std::filesystem::remove_all(whole);
  }
  EXPECT_GE(highest, 2U);  // the test would show little otherwise
  EXPECT_LE(highest, kStrataMax);
  if (seed_count(60) >= 60) {
    EXPECT_GE(whole_pages, 10U);
  }
}

TEST(Stack, KnownFactsAddNoStratum) {
  const TemporaryFolder folder;
  Random random(3);
  const Crawl crawl = random_crawl(random, 60);
  build(folder / "lib", Crawl(crawl.begin(), crawl.begin() + 40));
  EXPECT_TRUE(stack_up(folder / "lib", Crawl(crawl.begin() + 40, crawl.end())).is_changed);
  const std::string manifest = read_file(folder / "lib" / kManifestName);
  for (const Crawl& again : {crawl, Crawl{crawl[0]}, Crawl(crawl.begin() + 30, crawl.end())}) {
    EXPECT_FALSE(stack_up(folder / "lib", again).is_changed);
    EXPECT_EQ(read_file(folder / "lib" / kManifestName), manifest);
  }
}

double made_up_score(const std::string& url) {
  return static_cast<double>(std::hash<std::string>{}(url) % 1000);
}

// Those of the nodes that there were when the column was saved; the others have none.
void expect_scores(const Archive& archive, const std::vector<std::string>& scored) {
  const std::vector<double> scores = load_scores(archive, "s");
  ASSERT_EQ(scores.size(), archive.node_count());
  for (Uid uid = 0; uid < scores.size(); ++uid) {
    const std::string url = archive.url(uid);
    if (std::ranges::binary_search(scored, url)) {
      ASSERT_EQ(scores[uid], made_up_score(url));
    } else {
      ASSERT_TRUE(is_missing(scores[uid])) << url;
    }
  }
}

std::vector<std::string> save_made_up_scores(const std::filesystem::path& path) {
  const Archive archive = Archive::open(path);
  std::vector<std::string> urls;
  std::vector<double> scores;
  for (Uid uid = 0; uid < archive.node_count(); ++uid) {
    urls.push_back(archive.url(uid));
    scores.push_back(made_up_score(urls.back()));
  }
  save_scores(path, "s", archive.manifest().generation, scores);
  std::ranges::sort(urls);
  return urls;
}

TEST(Stack, ScoresFollowTheirNodesThroughUpdatesAndMerges) {
  for (std::uint64_t seed = 1; seed <= seed_count(40); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const TemporaryFolder folder;
    Random random(seed);
    const Crawl crawl = random_crawl(random, 20 + random.below(60));
    std::vector<std::string> scored;
    for (const Crawl& piece : random_pieces(random, crawl)) {
      if (!std::filesystem::exists(folder / "lib")) {
        build(folder / "lib", piece);
        scored = save_made_up_scores(folder / "lib");
        continue;
      }
      update(folder / "lib", piece, 1 + seed % 2,
             std::array{Merging::WhenDue, Merging::Later, Merging::All}[random.below(3)]);
      expect_scores(Archive::open(folder / "lib"), scored);
      if (random.chance(0.3)) scored = save_made_up_scores(folder / "lib");
      if (random.chance(0.3)) compact(folder / "lib", {});
      expect_scores(Archive::open(folder / "lib"), scored);
      EXPECT_TRUE(verify(folder / "lib", {}).is_clean());
    }
  }
}

TEST(Stack, ForgettingGivesTheBytesOfOneBuildWithout) {
  const TemporaryFolder folder;
  Random random(4);
  const Crawl crawl = random_crawl(random, 90);
  build(folder / "whole", crawl);
  build_stack(folder / "stack", crawl);
  const std::vector<Forget> requests = {
      {.scope = ForgetScope::Url, .text = crawl[0].sighting.url, .exactly = true}};
  EXPECT_TRUE(forget(folder / "stack", requests, {}).is_changed);
  EXPECT_TRUE(forget(folder / "whole", requests, {}).is_changed);
  compact(folder / "stack", {});
  EXPECT_EQ(difference(layer_files(folder / "stack"), layer_files(folder / "whole")), "");
}

Capture page_with_link(const std::string& url, Time time, const std::string& target) {
  Capture capture;
  capture.sighting.url = url;
  capture.sighting.time = time;
  capture.sighting.status = 200;
  capture.sighting.outcome = Outcome::Alive;
  capture.links_known = true;
  capture.links.add({.target = target, .kinds = LinkKind::Navigation});
  return capture;
}

std::vector<ino_t> inodes_of(const std::filesystem::path& stratum) {
  std::vector<ino_t> inodes;
  for (const auto& entry : std::filesystem::directory_iterator(stratum)) {
    struct stat status {};
    EXPECT_EQ(::stat(entry.path().c_str(), &status), 0);
    if (entry.is_regular_file() && entry.path().filename() != kPlacesName) {
      inodes.push_back(status.st_ino);
    }
  }
  std::ranges::sort(inodes);
  return inodes;
}

// Only the strata that have the URL are written again: as a page, or as a target.
TEST(Stack, ForgettingLeavesOtherStrataAlone) {
  const TemporaryFolder folder;
  const auto lib = folder / "lib";
  Crawl base;
  for (int i = 0; i < 50; ++i) {
    base.push_back(page_with_link("http://a.example/" + std::to_string(i), 1'000'000'000 + i,
                                  "http://a.example/" + std::to_string(i / 2)));
  }
  build(lib, base);
  stack_up(lib, {page_with_link("http://b.example/", 1'100'000'000, "http://secret.example/")});
  stack_up(lib, {page_with_link("http://c.example/", 1'200'000'000, "http://a.example/1")});
  stack_up(lib, {page_with_link("http://secret.example/", 1'300'000'000, "http://c.example/")});
  const auto folder_of = [&](std::size_t stratum) {
    return stratum_folder(lib / generation_name(Manifest::load(lib).generation), stratum);
  };
  std::vector<std::vector<ino_t>> before;
  for (std::size_t i = 0; i < 4; ++i) before.push_back(inodes_of(folder_of(i)));
  const std::vector<Forget> requests = {
      {.scope = ForgetScope::Url, .text = "http://secret.example/", .exactly = true}};
  EXPECT_EQ(forget(lib, requests, {}).sightings, 1U);
  ASSERT_EQ(Manifest::load(lib).strata.size(), 3U);  // nothing is left of the highest
  EXPECT_EQ(inodes_of(folder_of(0)), before[0]);
  EXPECT_NE(inodes_of(folder_of(1)), before[1]);
  EXPECT_EQ(inodes_of(folder_of(2)), before[2]);
  EXPECT_TRUE(verify(lib, {}).is_clean());
  EXPECT_EQ(Archive::open(lib).uid("http://secret.example/"), std::nullopt);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(lib)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(read_file(entry.path()).find("secret"), std::string::npos) << entry.path();
  }
}

TEST(Stack, ReadersOfOneStratumRefuseIt) {
  const TemporaryFolder folder;
  Random random(5);
  const Crawl crawl = random_crawl(random, 40);
  build(folder / "lib", Crawl(crawl.begin(), crawl.begin() + 20));
  stack_up(folder / "lib", Crawl(crawl.begin() + 20, crawl.end()));
  const GenerationLease lease = GenerationLease::take(folder / "lib");
  try {
    const GenerationReader generation(lease.folder(), lease.manifest());
    FAIL() << "a stack was read as one stratum";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("webstrata compact"), std::string::npos);
  }
}

TEST(Stack, DamageInAnyFileIsFound) {
  const TemporaryFolder folder;
  Random random(6);
  const Crawl crawl = random_crawl(random, 60);
  build(folder / "lib", Crawl(crawl.begin(), crawl.begin() + 40));
  stack_up(folder / "lib", Crawl(crawl.begin() + 40, crawl.end()));
  ASSERT_TRUE(verify(folder / "lib", {}).is_clean());
  const auto top = stratum_folder(folder / "lib" / "g000002", 1);
  for (const auto& entry : std::filesystem::directory_iterator(top)) {
    const std::string bytes = read_file(entry.path());
    std::string damaged = bytes;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 16);
    write_file(entry.path(), damaged);
    EXPECT_FALSE(verify(folder / "lib", {}).is_clean()) << entry.path();
    write_file(entry.path(), bytes);
  }
  write_file(top / "stranger", "");
  EXPECT_FALSE(verify(folder / "lib", {}).is_clean());
}

// Pages of other strata are answered as before, or the archive says which file of which stratum is
// damaged.
TEST(Stack, DamageInOneStratumIsNamedAndTheOthersAnswer) {
  const TemporaryFolder folder;
  const auto lib = folder / "lib";
  Crawl base;
  Crawl more;
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    base.push_back(page_with_link("http://a.example/" + number, 1'000'000'000 + i,
                                  "http://a.example/" + std::to_string(i / 2)));
    more.push_back(page_with_link("http://b.example/" + number, 1'100'000'000 + i,
                                  "http://b.example/" + std::to_string(i / 3)));
  }
  build(lib, base);
  stack_up(lib, more);
  std::size_t answered = 0;
  std::size_t named = 0;
  const auto check = [&] {
    try {
      const Archive archive = Archive::open(lib);
      for (int i = 0; i < 40; ++i) {
        const auto uid = archive.uid("http://a.example/" + std::to_string(i));
        ASSERT_TRUE(uid.has_value());
        EXPECT_EQ(archive.links(*uid).size(), 1U);
        EXPECT_EQ(archive.capture_times(*uid), std::vector<Time>{1'000'000'000 + i});
      }
      ++answered;
      for (Uid uid = 0; uid < archive.node_count(); ++uid) (void)archive.sightings(uid);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
      EXPECT_NE(std::string(error.what()).find("stratum.1"), std::string::npos) << error.what();
      ++named;
    }
  };
  for (const auto& entry : std::filesystem::directory_iterator(lib / "g000002" / "stratum.1")) {
    const std::string bytes = read_file(entry.path());
    for (const std::size_t place : {bytes.size() / 4, bytes.size() / 2, bytes.size() * 3 / 4}) {
      std::string damaged = bytes;
      damaged[place] = static_cast<char>(damaged[place] ^ 16);
      write_file(entry.path(), damaged);
      check();
      const VerifyResult found = verify(lib, {});
      ASSERT_FALSE(found.is_clean()) << entry.path();
      EXPECT_NE(found.problems.front().find("stratum.1/" + entry.path().filename().string()),
                std::string::npos)
          << found.problems.front();
    }
    write_file(entry.path(), bytes);
  }
  EXPECT_GE(answered, 10U);
  EXPECT_GE(named, 3U);
}

}  // namespace
}  // namespace webstrata
