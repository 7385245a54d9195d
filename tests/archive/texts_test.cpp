// SPDX-License-Identifier: Apache-2.0

// Random crawls with texts of links; every answer is that of the slow reference. That the bytes
// obey the law is in law_test, forget_test and join_test, whose crawls have texts too.

#include <limits>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "tests/archive/reference.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/forget.h"
#include "webstrata/archive/verify.h"

namespace webstrata {
namespace {

constexpr Time kFirst = std::numeric_limits<Time>::min();
constexpr Time kLast = std::numeric_limits<Time>::max();

ArchiveOptions with_texts() {
  ArchiveOptions options = small_archive_options();
  options.optional_layers = {texts_layer()};
  return options;
}

void expect_texts_of_reference(const Archive& archive, const Reference& reference) {
  ASSERT_EQ(archive.node_count(), reference.names().size());
  for (Uid uid = 0; uid < archive.node_count(); ++uid) {
    const std::vector<LinkText> all = reference.texts(uid, kFirst, kLast);
    ASSERT_EQ(archive.texts(uid), all);
    const TimeInterval during = {1'002'000'000, 1'006'000'000};
    ASSERT_EQ(archive.texts(uid, std::nullopt, during),
              reference.texts(uid, during.first, during.last));
    for (const LinkText& text : all) {
      std::vector<LinkText> of_target = all;
      std::erase_if(of_target, [&](const LinkText& other) { return other.target != text.target; });
      ASSERT_EQ(archive.texts(uid, text.target), of_target);
    }
  }
}

TEST(ArchiveTexts, AreThoseOfTheReference) {
  const TemporaryFolder folder;
  std::uint64_t texts = 0;
  for (std::uint64_t seed = 1; seed <= seed_count(200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(seed % 20 == 0 ? 200 : 30));
    build(folder / "a", crawl, 1 + seed % 2, 1000, with_texts());
    const Archive archive = Archive::open(folder / "a");
    expect_texts_of_reference(archive, Reference(crawl, kGraphKinds));
    for (Uid uid = 0; uid < archive.node_count(); ++uid) texts += archive.texts(uid).size();
    const VerifyResult found = verify(folder / "a", {});
    EXPECT_TRUE(found.problems.empty());
    std::filesystem::remove_all(folder / "a");
  }
  EXPECT_GT(texts, 200U);
}

TEST(ArchiveTexts, OfAnArchiveWithoutThemAreNone) {
  const TemporaryFolder folder;
  Random random(1);
  build(folder / "a", random_crawl(random, 30));
  const Archive archive = Archive::open(folder / "a");
  for (Uid uid = 0; uid < archive.node_count(); ++uid) EXPECT_TRUE(archive.texts(uid).empty());
}

// No byte of the texts of a forgotten page, or of links to one, is left in any file.
TEST(ArchiveTexts, AreForgotten) {
  const TemporaryFolder folder;
  Crawl crawl;
  const auto page = [&](const std::string& url, Time time, const std::string& target,
                        const std::string& text) {
    Capture& capture = crawl.emplace_back();
    capture.sighting.url = url;
    capture.sighting.time = time;
    capture.sighting.outcome = Outcome::Alive;
    capture.links_known = true;
    Link link;
    link.target = target;
    link.kinds = LinkKind::Navigation;
    link.text = text;
    capture.links.add(link);
  };
  page("http://a.example/1", 100, "http://a.example/2", "XYZZYown");
  page("http://a.example/3", 100, "http://a.example/1", "XYZZYofothers");
  page("http://a.example/3", 200, "http://a.example/2", "stays");
  build(folder / "a", crawl, 1, 1000, with_texts());
  std::vector<Forget> requests(1);
  requests[0].text = "http://a.example/1";
  forget(folder / "a", requests, {});
  const Archive archive = Archive::open(folder / "a");
  const auto texts = archive.texts(*archive.uid("http://a.example/3"));
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_EQ(texts[0].text, "stays");
  crawl.erase(crawl.begin());
  crawl[0].links.clear();
  build(folder / "rest", crawl, 1, 1000, with_texts());
  EXPECT_EQ(difference(layer_files(folder / "a"), layer_files(folder / "rest")), "");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "a")) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(read_file(entry.path()).find("XYZZY"), std::string::npos) << entry.path();
  }
}

}  // namespace
}  // namespace webstrata
