// SPDX-License-Identifier: Apache-2.0

// The questions of archive_test.cpp on a sample of a real site: thirty years of www.openbsd.org.

#include <iostream>

#include <gtest/gtest.h>

#include "tests/archive/reference_comparison.h"
#include "tests/archive/small_archive.h"
#include "tests/shared_folder.h"
#include "tests/temporary_folder.h"
#include "webstrata/base/checksum.h"
#include "webstrata/capture/formats/readers.h"

namespace webstrata {
namespace {

using Crawl = std::vector<Capture>;
constexpr std::uint64_t kShare = 150;  // one page in 150, with all its captures

// Lines of a TSV (source, time, targets) whose source is drawn.
std::string drawn_lines(const std::filesystem::path& path, std::uint64_t seed) {
  Report report;
  InputStream in(path, report);
  std::string lines;
  while (const auto line = in.line()) {
    const std::string_view source = line->substr(0, line->find('\t'));
    if (checksum64(source, seed) % kShare == 0) lines.append(*line).append("\n");
  }
  return lines;
}

Crawl read_crawl(std::string_view bytes) {
  Report report;
  InputStream in(InMemory{bytes}, report);
  const ReadOptions options;
  const ReaderEntry* entry = recognise(in);
  Crawl crawl;
  if (entry == nullptr) return crawl;
  const auto reader = entry->open({in, options, report, "links.tsv"});
  Capture capture;
  while (reader->next(capture)) crawl.push_back(capture);
  return crawl;
}

// A second of a capture, the one before it, or one long before or after everything.
Time time_near(const Crawl& crawl, Random& random) {
  if (random.chance(0.05)) return static_cast<Time>(random.below(4'000'000'000));
  return crawl[random.below(crawl.size())].sighting.time - (random.chance(0.3) ? 1 : 0);
}

TEST(Archive, AnswersAsTheReferenceDoesOnThirtyYearsOfOneSite) {
  const auto data = shared_folder() / "data/openbsd-www/links_all_versions.tsv.zst";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "SKIPPED: " << data << " is not there";
  constexpr std::uint64_t kSeed = 20060101;
  Random random(kSeed);
  const Crawl crawl = read_crawl(drawn_lines(data, kSeed));
  ASSERT_GT(crawl.size(), 300U);
  const TemporaryFolder folder;
  ArchiveOptions options = small_archive_options();
  options.block_bits = 8;
  build_archive(folder / "a", crawl, options);
  const Archive archive = Archive::open(folder / "a");
  const Reference reference(crawl, options.kinds);
  const Comparison comparison(archive, reference);
  const std::uint64_t before = comparisons;
  comparison.names(random);
  for (int i = 0; i < 10; ++i) {
    comparison.ranges(reference.names()[random.below(reference.names().size())]);
    comparison.pages(time_near(crawl, random), time_near(crawl, random));
  }
  comparison.pages(kFirstTime, kLastTime);
  for (Uid uid = 0; uid < reference.names().size(); ++uid) {
    const bool is_page = !reference.page(uid).sightings.empty();
    if (!random.chance(is_page ? 0.5 : 0.02)) continue;
    comparison.page(uid);
    for (int i = 0; i < 2; ++i) {
      comparison.moment(uid, time_near(crawl, random));
      comparison.interval(uid, time_near(crawl, random), time_near(crawl, random));
    }
    if (HasFatalFailure()) return;
  }
  std::cout << crawl.size() << " captures, " << reference.names().size() << " nodes, "
            << comparisons - before << " comparisons, seed " << kSeed << "\n";
  EXPECT_GE(comparisons - before, 10'000U);
}

}  // namespace
}  // namespace webstrata
