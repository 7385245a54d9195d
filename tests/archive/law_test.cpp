// The law: the layer files depend only on the set of facts. Random small crawls are built whole,
// in pieces, shuffled, with duplicates, with other threads and memory, and the files compared.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/generations.h"
#include "webstrata/archive/writer.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

using Crawl = std::vector<Capture>;
using Files = std::map<std::string, std::string>;

// Small blocks and parts, so that a small crawl has many.
ArchiveOptions small_options() {
  ArchiveOptions options;
  options.block_bits = 3;
  options.part_blocks = 2;
  return options;
}

void give(ArchiveWriter& writer, const Crawl& crawl, std::size_t batch_size) {
  for (std::size_t start = 0; start < crawl.size(); start += batch_size) {
    auto batch = writer.make_batch();
    for (std::size_t i = start; i < std::min(crawl.size(), start + batch_size); ++i) {
      batch->add(crawl[i]);
    }
    writer.take(std::move(batch));
  }
}

void build(const std::filesystem::path& archive, const Crawl& crawl, unsigned threads = 1,
           std::size_t batch_size = 1000, ArchiveOptions options = small_options()) {
  WriteOptions write;
  write.threads = threads;
  ArchiveWriter writer = ArchiveWriter::create(archive, options, write);
  give(writer, crawl, batch_size);
  writer.commit();
}

WriteSummary update(const std::filesystem::path& archive, const Crawl& crawl,
                    unsigned threads = 1) {
  WriteOptions write;
  write.threads = threads;
  ArchiveWriter writer = ArchiveWriter::update(archive, write);
  give(writer, crawl, 7);
  return writer.commit();
}

Files layer_files(const std::filesystem::path& archive) {
  const Manifest manifest = Manifest::load(archive);
  Files files;
  for (const auto& entry :
       std::filesystem::directory_iterator(archive / generation_name(manifest.generation))) {
    files[entry.path().filename()] = read_file(entry.path());
  }
  files["digest"] = manifest.facts_digest;
  return files;
}

// Names of the files that differ.
std::string difference(const Files& a, const Files& b) {
  std::string names;
  for (const auto& [name, bytes] : a) {
    if (!b.contains(name) || b.at(name) != bytes) names += name + " ";
  }
  for (const auto& [name, bytes] : b) {
    if (!a.contains(name)) names += name + " ";
  }
  return names;
}

Crawl shuffled(Crawl crawl, Random& random) {
  for (std::size_t i = crawl.size(); i > 1; --i) std::swap(crawl[i - 1], crawl[random.below(i)]);
  return crawl;
}

TEST(Law, LayerFilesDependOnTheSetOfFactsAlone) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(seed % 10 == 0 ? 400 : 40));
    const auto path = [&](const char* name) {
      return folder.path() / (std::to_string(seed) + name);
    };
    build(path("whole"), crawl);
    const Files whole = layer_files(path("whole"));

    build(path("shuffled"), shuffled(crawl, random), 2, 3);
    ASSERT_EQ(difference(whole, layer_files(path("shuffled"))), "");

    // In pieces, one after the other, with some facts given twice.
    const std::size_t pieces = 1 + random.below(5);
    for (std::size_t i = 0; i < pieces; ++i) {
      Crawl piece;
      for (std::size_t j = 0; j < crawl.size(); ++j) {
        if (j % pieces == i || random.chance(0.1)) piece.push_back(crawl[j]);
      }
      if (i == 0) {
        build(path("pieces"), piece);
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
