// SPDX-License-Identifier: Apache-2.0

// forget(build(A), P) == build(A without P), and what is forgotten stays out.

#include "webstrata/archive/forget.h"

#include <sys/stat.h>

#include <iostream>
#include <set>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/forgetting.h"
#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/url/key.h"

namespace webstrata {
namespace {

TEST(Forget, LeavesWhatAnArchiveWithoutItWouldBe) {
  const TemporaryFolder folder;
  const std::uint64_t seeds = seed_count(500);
  std::uint64_t changed = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(seed % 50 == 0 ? 60 : 8));
    std::vector<Forget> requests;
    Selection selection;
    for (std::uint64_t i = 0; i <= random.below(2); ++i) {
      requests.push_back(random_request(random));
      selection.add(requests.back());
    }
    ArchiveOptions options = small_archive_options();
    if (seed % 2 == 0) options.optional_layers = {texts_layer()};
    build(folder.path() / "all", crawl, 1, 1000, options);
    build(folder.path() / "rest", without(crawl, selection), 1, 1000, options);
    const ForgetResult shown = preview_forget(folder.path() / "all", requests, {});
    const ForgetResult result = forget(folder.path() / "all", requests, {});
    changed += result.is_changed ? 1 : 0;
    expect_shown_before(shown, result);
    const Files rest = layer_files(folder.path() / "rest");
    ASSERT_EQ(difference(rest, layer_files(folder.path() / "all")), "");
    EXPECT_FALSE(result.manifest.residue);
    EXPECT_TRUE(result.manifest.doomed.empty());

    // Imported again, it stays out.
    update(folder.path() / "all", crawl);
    ASSERT_EQ(difference(rest, layer_files(folder.path() / "all")), "");

    // Unless the forget is undone. (An earlier redirect to it has lost its target; imported again,
    // it is another sighting next to that one.)
    const auto node_count = [&](const char* name) {
      return Manifest::load(folder.path() / name).counts.nodes;
    };
    undo_forget(folder.path() / "all", requests);
    update(folder.path() / "all", crawl);
    std::filesystem::remove_all(folder.path() / "rest");
    build(folder.path() / "rest", crawl, 1, 1000, options);
    ASSERT_EQ(node_count("rest"), node_count("all"));
    std::filesystem::remove_all(folder.path() / "all");
    std::filesystem::remove_all(folder.path() / "rest");
  }
  std::cout << changed << " of " << seeds << " crawls had something to forget\n";
  EXPECT_GT(changed, seeds / 2);  // the test would show nothing if requests missed
}

TEST(Forget, TellsRecordsAndUrlsThatContainTheForgottenOne) {
  const TemporaryFolder folder;
  const std::string meant = "http://a.example/secret";
  Capture page;
  page.sighting.url = meant;
  page.sighting.time = 1'000'000'000;
  page.sighting.outcome = Outcome::Alive;
  page.sighting.file = "x.warc.gz";
  page.sighting.offset = 77;
  page.links_known = true;
  Capture copy = page;
  copy.sighting.url = "http://web.example/save/http://a.example/secret";
  build(folder.path() / "a", {page, copy});

  ForgetOptions options;
  std::vector<ForgottenRecord> records;
  std::vector<std::string> embedded;
  options.on_record = [&](const ForgottenRecord& record) { records.push_back(record); };
  options.on_embedded = [&](const std::string& url) { embedded.push_back(url); };
  const std::vector<Forget> request = {{.scope = ForgetScope::Url, .text = meant}};
  forget(folder.path() / "a", request, options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].url, meant);
  EXPECT_EQ(records[0].file, "x.warc.gz");
  EXPECT_EQ(records[0].offset, 77U);
  EXPECT_EQ(embedded, std::vector<std::string>{copy.sighting.url});
  EXPECT_EQ(Manifest::load(folder.path() / "a").counts.nodes, 1U);

  options.embedded = true;
  forget(folder.path() / "a", request, options);
  EXPECT_EQ(Manifest::load(folder.path() / "a").counts.nodes, 0U);
  // It stays out, too.
  update(folder.path() / "a", {page, copy});
  EXPECT_EQ(Manifest::load(folder.path() / "a").counts.nodes, 0U);
}

TEST(Forget, KeepsItsKeyForTheOwnerAlone) {
  const TemporaryFolder folder;
  build(folder.path() / "a", {});
  forget(folder.path() / "a", std::vector<Forget>{{ForgetScope::Host, "a.example"}}, {});
  struct stat status {};
  ASSERT_EQ(::stat((folder.path() / "a" / "tombstones.key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

// The merge has nowhere to put its scratch files; by then the tombstones are written.
TEST(Forget, LeavesNoTombstonesWhenItFails) {
  const TemporaryFolder folder;
  Random random(9);
  build(folder / "a", random_crawl(random, 100));
  const auto names = [&] {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "a")) {
      found.insert(entry.path().filename());
    }
    return found;
  };
  const std::set<std::string> before = names();
  const std::vector<Forget> request = {{.scope = ForgetScope::Host, .text = "a.example"}};
  ForgetOptions options;
  options.write.temp = folder.path() / "a" / "MANIFEST" / "no folder";
  EXPECT_ANY_THROW(forget(folder / "a", request, options));
  EXPECT_EQ(names(), before);

  // What a later request needs is kept; after the last undo nothing is left.
  forget(folder / "a", request, {});
  EXPECT_TRUE(std::filesystem::exists(folder / "a" / "tombstones.key"));
  undo_forget(folder / "a", request);
  EXPECT_EQ(names().size(), before.size());
}

TEST(Forget, ShowsWhatItWouldDoWithoutDoingIt) {
  const TemporaryFolder folder;
  Random random(4);
  build(folder / "a", random_crawl(random, 60));
  const Files before = layer_files(folder / "a");
  const auto names = [&] {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "a")) {
      found.insert(entry.path());
    }
    return found;
  };
  const std::set<std::string> files = names();
  const std::vector<Forget> request = {{.scope = ForgetScope::Host, .text = "a.example"}};
  EXPECT_GT(preview_forget(folder / "a", request, {}).sightings, 0U);
  EXPECT_EQ(difference(before, layer_files(folder / "a")), "");
  EXPECT_EQ(names(), files);
}

// "--host com" once deleted every site under com without asking.
TEST(Forget, RefusesAPublicSuffixUnlessForced) {
  const TemporaryFolder folder;
  build(folder / "a", {});
  for (const char* suffix : {"com", "co.uk", "github.io", "CO.UK.", "unheard-of"}) {
    const std::vector<Forget> request = {{.scope = ForgetScope::Host, .text = suffix}};
    EXPECT_THROW(forget(folder / "a", request, {}), Error) << suffix;
    EXPECT_THROW(preview_forget(folder / "a", request, {}), Error) << suffix;
    ForgetOptions options;
    options.force = true;
    EXPECT_EQ(forget(folder / "a", request, options).tombstones, 1U) << suffix;
    EXPECT_EQ(undo_forget(folder / "a", request), 1U) << suffix;
  }
  for (const char* host :
       {"example.com", "a.github.io", "192.0.2.1", "[2001:db8::1]", "localhost"}) {
    EXPECT_NO_THROW(forget(folder / "a", std::vector<Forget>{{ForgetScope::Host, host}}, {}))
        << host;
  }
  const Forget alone{.scope = ForgetScope::Host, .text = "com", .exactly = true};
  EXPECT_NO_THROW(forget(folder / "a", std::vector<Forget>{alone}, {}));
}

TEST(Forget, RefusesWhatIsNoUrl) {
  const TemporaryFolder folder;
  build(folder.path() / "a", {});
  EXPECT_THROW(forget(folder.path() / "a", std::vector<Forget>{{ForgetScope::Url, "http://"}}, {}),
               Error);
}

}  // namespace
}  // namespace webstrata
