// SPDX-License-Identifier: Apache-2.0

// build(a.ws, b.ws, files) == build(all files), whatever the archives were built from, and what one
// of them has forgotten is forgotten in the result.

#include "webstrata/archive/join.h"

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/forget.h"
#include "webstrata/archive/verify.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

using Paths = std::vector<std::filesystem::path>;

WriteSummary build_joined(const std::filesystem::path& archive, const Paths& others,
                          const Crawl& crawl, unsigned threads) {
  WriteOptions write;
  write.work.threads = threads;
  ArchiveWriter writer = ArchiveWriter::create(archive, options_of_archive(others.front()), write);
  writer.join(others);
  give(writer, crawl, 5);
  return writer.commit();
}

WriteSummary update_joined(const std::filesystem::path& archive, const Paths& others,
                           const Crawl& crawl, unsigned threads) {
  WriteOptions write;
  write.work.threads = threads;
  ArchiveWriter writer = ArchiveWriter::update(archive, write);
  writer.join(others);
  give(writer, crawl, 5);
  return writer.commit();
}

// Facts go to a random one of the pieces, some to several.
std::vector<Crawl> pieces_of(const Crawl& crawl, std::size_t count, Random& random) {
  std::vector<Crawl> pieces(count);
  for (const Capture& capture : crawl) {
    pieces[random.below(count)].push_back(capture);
    if (random.chance(0.2)) pieces[random.below(count)].push_back(capture);
  }
  return pieces;
}

TEST(Join, ArchivesAndFilesGiveTheBytesOfOneBuild) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= seed_count(150); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(seed % 50 == 0 ? 300 : 20));
    ArchiveOptions options = small_archive_options();
    options.block_bits = static_cast<std::uint32_t>(2 + random.below(5));
    if (seed % 3 == 0) options.optional_layers = {texts_layer()};
    build(folder / "whole", crawl, 1, 1000, options);
    const Files whole = layer_files(folder / "whole");

    const std::vector<Crawl> pieces = pieces_of(crawl, 2 + random.below(3), random);
    Paths archives;
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      archives.push_back(folder / ("a" + std::to_string(i)));
      if (random.chance(0.4)) {
        build_stack(archives.back(), pieces[i], options);
      } else {
        build(archives.back(), pieces[i], 1, 1000, options);
      }
    }
    build_joined(folder / "built", archives, pieces[0], 1 + seed % 2);
    ASSERT_EQ(difference(whole, layer_files(folder / "built")), "");
    build(folder / "updated", pieces[0], 1, 1000, options);
    update_joined(folder / "updated", archives, {}, 1 + seed % 2);
    compact(folder / "updated", {});
    ASSERT_EQ(difference(whole, layer_files(folder / "updated")), "");

    // Again: nothing is new.
    const WriteSummary again = update_joined(folder / "updated", archives, {}, 1);
    EXPECT_FALSE(again.is_changed);
    EXPECT_EQ(again.manifest, Manifest::load(folder / "updated"));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      std::filesystem::remove_all(entry.path());
    }
  }
}

Forget random_url_or_host(Random& random) {
  Forget request;
  Url url;
  parse_url(random_url(random), url);
  const bool is_host = random.chance(0.1);
  request.scope = is_host ? ForgetScope::Host : ForgetScope::Url;
  request.text = is_host ? std::string(url.host()) : std::string(url.href());
  request.exactly = random.chance(0.5);
  if (random.chance(0.4)) {
    const Time first = static_cast<Time>(1'000'000'000 + random.below(12) * 1'000'000);
    request.during = TimeInterval{first, first + 2'000'000};
  }
  return request;
}

// What each side has forgotten is missing from the result, as after one forget of everything, and
// stays out of later updates.
TEST(Join, WhatEitherSideHasForgottenStaysForgotten) {
  const TemporaryFolder folder;
  std::uint64_t changed = 0;
  for (std::uint64_t seed = 1; seed <= seed_count(60); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 5 + random.below(40));
    const std::vector<Crawl> pieces = pieces_of(crawl, 3, random);
    std::vector<Forget> all;
    const auto forget_some = [&](const char* name) {
      std::vector<Forget> requests;
      for (std::uint64_t i = random.below(3); i > 0; --i) {
        requests.push_back(random_url_or_host(random));
      }
      if (!requests.empty()) forget(folder / name, requests, {});
      all.insert(all.end(), requests.begin(), requests.end());
    };
    for (const auto& [name, piece] : {std::pair("a", 0), {"b", 1}, {"c", 2}}) {
      build(folder / name, pieces[piece]);
      forget_some(name);
    }
    build(folder / "whole", crawl);
    if (!all.empty()) forget(folder / "whole", all, {});
    const Files whole = layer_files(folder / "whole");

    build_joined(folder / "built", {folder / "a", folder / "b", folder / "c"}, crawl, 1);
    ASSERT_EQ(difference(whole, layer_files(folder / "built")), "");
    const WriteSummary joined =
        update_joined(folder / "a", {folder / "b", folder / "c"}, {}, 1 + seed % 2);
    changed += joined.has_forgotten ? 1 : 0;
    compact(folder / "a", {});
    ASSERT_EQ(difference(whole, layer_files(folder / "a")), "");
    for (const char* name : {"built", "a"}) {
      EXPECT_FALSE(update(folder / name, crawl).is_changed) << name;
      EXPECT_TRUE(verify(folder / name, {}).problems.empty()) << name;
    }
    // All of it can be undone, with the names, under whichever key it is kept.
    for (const Forget& request : all) undo_forget(folder / "built", {&request, 1});
    EXPECT_FALSE(Manifest::load(folder / "built").tombstones.has_value());
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      std::filesystem::remove_all(entry.path());
    }
  }
  EXPECT_GT(changed, 0U);
}

TEST(Join, OptionsMustAgree) {
  const TemporaryFolder folder;
  Random random(1);
  const Crawl crawl = random_crawl(random, 20);
  build(folder / "a", crawl);
  const auto expect_refused = [&](const ArchiveOptions& options, std::string_view what) {
    build(folder / "b", crawl, 1, 1000, options);
    try {
      update_joined(folder / "a", {folder / "b"}, {}, 1);
      ADD_FAILURE() << what;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
    std::filesystem::remove_all(folder / "b");
  };
  ArchiveOptions options = small_archive_options();
  options.range_seconds = 0;
  expect_refused(options, "option range is ever");
  options = small_archive_options();
  options.kinds = kAllKinds;
  expect_refused(options, "option links is all");
  options = small_archive_options();
  options.digests = DigestMode::None;
  expect_refused(options, "option digests is none");
  options = small_archive_options();
  options.keep_other_schemes = true;
  expect_refused(options, "option schemes is all");
  options = small_archive_options();
  options.effort = LinksEffort::Compact;
  expect_refused(options, "option compact is on");
  EXPECT_EQ(Manifest::load(folder / "a").generation, 1U);
}

// The old generation has what must go, so a reader of it is an error that says what to do.
TEST(Join, AReaderOfWhatIsForgottenIsNamed) {
  const TemporaryFolder folder;
  Random random(3);
  const Crawl crawl = random_crawl(random, 30);
  build(folder / "a", crawl);
  build(folder / "b", crawl);
  const std::vector<Forget> requests = {{.text = crawl.front().sighting.url}};
  forget(folder / "b", requests, {});
  {
    const GenerationLease reader = GenerationLease::take(folder / "a");
    EXPECT_THROW(update_joined(folder / "a", {folder / "b"}, {}, 1), Error);
  }
  build(folder / "whole", crawl);
  forget(folder / "whole", requests, {});
  EXPECT_EQ(difference(layer_files(folder / "whole"), layer_files(folder / "a")), "");
  EXPECT_FALSE(update_joined(folder / "a", {folder / "b"}, {}, 1).is_changed);
  EXPECT_TRUE(verify(folder / "a", {}).problems.empty());
}

}  // namespace
}  // namespace webstrata
