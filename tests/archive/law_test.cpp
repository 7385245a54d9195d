// The law: the layer files depend only on the set of facts. Random small crawls are built whole,
// in pieces, shuffled, with duplicates, with other threads and memory, and the files compared.

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/generations.h"
#include "webstrata/archive/writer.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

Crawl shuffled(Crawl crawl, Random& random) {
  for (std::size_t i = crawl.size(); i > 1; --i) std::swap(crawl[i - 1], crawl[random.below(i)]);
  return crawl;
}

// WEBSTRATA_SEEDS asks for more.
std::uint64_t seed_count() {
  const char* wanted = std::getenv("WEBSTRATA_SEEDS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 150;
}

TEST(Law, LayerFilesDependOnTheSetOfFactsAlone) {
  const TemporaryFolder folder;
  const std::uint64_t seeds = seed_count();
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(seed % 20 == 0 ? 400 : 20));
    ArchiveOptions options = small_options();
    options.block_bits = static_cast<std::uint32_t>(2 + random.below(4));
    options.range_seconds = random.chance(0.3) ? 0 : 1'500'000;
    const auto path = [&](const char* name) {
      return folder.path() / (std::to_string(seed) + name);
    };
    build(path("whole"), crawl, 1, 1000, options);
    const Files whole = layer_files(path("whole"));

    build(path("shuffled"), shuffled(crawl, random), 2, 3, options);
    ASSERT_EQ(difference(whole, layer_files(path("shuffled"))), "");

    // In pieces, one after the other, with some facts given twice.
    const std::size_t pieces = 1 + random.below(5);
    for (std::size_t i = 0; i < pieces; ++i) {
      Crawl piece;
      for (std::size_t j = 0; j < crawl.size(); ++j) {
        if (j % pieces == i || random.chance(0.1)) piece.push_back(crawl[j]);
      }
      if (i == 0) {
        build(path("pieces"), piece, 1, 1000, options);
      } else {
        update(path("pieces"), piece, 1 + i % 2);
      }
    }
    ASSERT_EQ(difference(whole, layer_files(path("pieces"))), "");
    std::filesystem::remove_all(path("whole"));
    std::filesystem::remove_all(path("shuffled"));
    std::filesystem::remove_all(path("pieces"));
  }
}

TEST(Law, AnUpdateWithKnownFactsCopiesEveryBlock) {
  const TemporaryFolder folder;
  Random random(5);
  const Crawl crawl = random_crawl(random, 300);
  build(folder.path() / "a", crawl);
  const Files before = layer_files(folder.path() / "a");
  const WriteSummary same = update(folder.path() / "a", {crawl[0]});
  EXPECT_EQ(difference(before, layer_files(folder.path() / "a")), "");
  const std::uint64_t blocks = (same.manifest.counts.nodes + 7) / 8;
  EXPECT_EQ(same.blocks_copied, blocks - 1);  // all but that of the page
}

}  // namespace
}  // namespace webstrata
