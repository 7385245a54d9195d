// SPDX-License-Identifier: Apache-2.0

// Damage is found and named, wherever it is; and a damaged archive never gives a wrong answer.

#include "webstrata/archive/verify.h"

#include <array>
#include <fstream>
#include <iostream>
#include <optional>

#include <gtest/gtest.h>

#include "tests/archive/answers.h"
#include "tests/archive/random_facts.h"
#include "tests/archive/small_archive.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/disk/layer_part.h"
#include "webstrata/archive/forget.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

std::string all_of(const std::vector<std::string>& problems) {
  std::string text;
  for (const std::string& problem : problems) text += problem + "\n";
  return text;
}

// What verify says, be it as problems or because it cannot open the archive at all.
std::string complaints(const fs::path& archive) {
  WorkOptions options;
  options.threads = 1;
  try {
    return all_of(verify(archive, options).problems);
  } catch (const Error& error) {
    return error.what();
  }
}

struct Tally {
  std::size_t refused = 0;
  std::size_t right = 0;
};

// Queries a damaged archive about some nodes: it may fail, but must not answer wrongly.
void expect_no_wrong_answer(const fs::path& path, const std::vector<std::string>& expected,
                            Random& random, Tally& tally) {
  const auto is_refused = [&](const auto& ask) {
    try {
      ask();
      return false;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << error.what();
      ++tally.refused;
      return true;
    }
  };
  std::optional<Archive> archive;
  if (is_refused([&] { archive = Archive::open(path); })) return;
  for (int i = 0; i < 3; ++i) {
    const Uid uid = random.below(expected.size());
    std::string text;
    if (is_refused([&] { text = answers(*archive, uid); })) continue;
    EXPECT_EQ(text, expected[uid]);
    ++tally.right;
  }
}

// Changes the bytes of a file in place; hard links do not matter, tests have one generation.
void overwrite_file(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

struct Victim {
  fs::path path;
  std::string bytes;
};

// Every file that contains facts: MANIFEST and the layers.
std::vector<Victim> files_of(const fs::path& archive) {
  std::vector<Victim> files;
  for (const auto& entry : fs::recursive_directory_iterator(archive)) {
    if (!entry.is_regular_file() || entry.path().filename() == "lock") continue;
    files.push_back({entry.path(), read_file(entry.path())});
  }
  std::sort(files.begin(), files.end(),
            [](const Victim& a, const Victim& b) { return a.path < b.path; });
  return files;
}

// The block that contains a byte of a layer file.
std::optional<std::uint64_t> block_at(const Victim& file, std::size_t position) {
  if (file.path.filename() == kManifestName) return std::nullopt;
  const PartTable table = read_part(file.bytes, file.path.string());
  for (std::size_t i = 0; i < table.blocks.size(); ++i) {
    const BlockEntry& entry = table.blocks[i];
    if (position >= entry.offset && position < entry.offset + entry.size) {
      return table.header.first_block + i;
    }
  }
  return std::nullopt;
}

struct FilesAndBlocks {
  std::uint64_t files = 0;
  std::uint64_t blocks = 0;
};

// What verify has to look at: the layers of every stratum, and the places of those above the base.
FilesAndBlocks files_and_blocks(const Manifest& manifest) {
  FilesAndBlocks found;
  const auto add = [&](const auto& layers, std::uint64_t nodes) {
    for (const auto& [layer, parts] : layers) found.files += parts.size();
    found.blocks += 9 * ((nodes + 7) / 8);
  };
  const bool is_stack = manifest.is_stack();
  add(manifest.layers, is_stack ? manifest.strata.front().counts.nodes : manifest.counts.nodes);
  for (std::size_t i = 1; i < manifest.strata.size(); ++i) {
    add(manifest.strata[i].layers, manifest.strata[i].counts.nodes);
    found.files += manifest.strata[i].places.has_value() ? 1 : 0;
  }
  return found;
}

TEST(Verify, WhatWasWrittenIsClean) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto archive = folder / ("a" + std::to_string(seed));
    ArchiveOptions options = small_archive_options();
    options.range_seconds = seed % 2 == 0 ? 0 : 5'000'000;
    build_archive(archive, random_crawl(random, random.below(200)), options);
    EXPECT_EQ(complaints(archive), "");
    update_archive(archive, random_crawl(random, random.below(100)));
    EXPECT_EQ(complaints(archive), "");
    const VerifyResult result = verify(archive);
    EXPECT_TRUE(result.is_clean());
    const FilesAndBlocks expected = files_and_blocks(Manifest::load(archive));
    EXPECT_EQ(result.files, expected.files);
    EXPECT_EQ(result.blocks, expected.blocks);
  }
}

TEST(Verify, EveryFlippedByteIsNamedAndNoAnswerIsWrong) {
  const TemporaryFolder folder;
  Tally tally;
  constexpr int kFlips = 2100;
  constexpr int kArchives = 3;
  for (std::uint64_t seed = 1; seed <= kArchives; ++seed) {
    Random random(seed);
    const auto archive = folder / ("a" + std::to_string(seed));
    ArchiveOptions options = small_archive_options();
    options.block_bits = 4 + static_cast<std::uint32_t>(seed) % 2;
    build_archive(archive, random_crawl(random, 40), options);
    const std::vector<std::string> expected = answers(archive);
    const std::vector<Victim> files = files_of(archive);
    for (int i = 0; i < kFlips / kArchives; ++i) {
      const Victim& file = files[random.below(files.size())];
      const std::size_t position = random.below(file.bytes.size());
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", flip " << i << ": "
                                      << file.path.string() << " at " << position);
      std::string bytes = file.bytes;
      bytes[position] = static_cast<char>(bytes[position] ^ (1 << random.below(8)));
      overwrite_file(file.path, bytes);
      const std::string told = complaints(archive);
      EXPECT_NE(told.find(file.path.filename().string()), std::string::npos) << told;
      if (const auto block = block_at(file, position)) {
        EXPECT_NE(told.find("block " + std::to_string(*block)), std::string::npos) << told;
      }
      expect_no_wrong_answer(archive, expected, random, tally);
      overwrite_file(file.path, file.bytes);
      if (HasFailure()) return;
    }
    EXPECT_EQ(complaints(archive), "");
  }
  std::cout << tally.refused << " refused, " << tally.right << " right all the same\n";
  EXPECT_GT(tally.right, 0U);
}

TEST(Verify, EveryTruncatedFileIsNamed) {
  const TemporaryFolder folder;
  Random random(4);
  build_archive(folder / "a", random_crawl(random, 60));
  const std::vector<Victim> files = files_of(folder / "a");
  for (int i = 0; i < 200; ++i) {
    const Victim& file = files[random.below(files.size())];
    const std::size_t size = random.below(file.bytes.size());
    SCOPED_TRACE(testing::Message() << file.path.string() << " cut to " << size);
    overwrite_file(file.path, file.bytes.substr(0, size));
    const std::string told = complaints(folder / "a");
    EXPECT_NE(told.find(file.path.filename().string()), std::string::npos) << told;
    try {
      Archive::open(folder / "a");
      ADD_FAILURE() << "a cut file is opened";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << error.what();
    }
    overwrite_file(file.path, file.bytes);
  }
}

TEST(Verify, OneDamagedBlockHidesNoOther) {
  const TemporaryFolder folder;
  Random random(5);
  build_archive(folder / "a", random_crawl(random, 120));
  std::vector<std::string> expected;
  for (const Victim& file : files_of(folder / "a")) {
    if (file.path.filename() == kManifestName) continue;
    const PartTable table = read_part(file.bytes, file.path.string());
    std::string bytes = file.bytes;
    for (std::size_t i = 0; i < table.blocks.size(); ++i) {
      bytes[table.blocks[i].offset] ^= 1;
      expected.push_back(file.path.filename().string() + ": checksum of block " +
                         std::to_string(table.header.first_block + i));
    }
    overwrite_file(file.path, bytes);
  }
  const VerifyResult result = verify(folder / "a");
  EXPECT_EQ(result.problems.size(), expected.size());
  const std::string told = all_of(result.problems);
  for (const std::string& problem : expected) {
    EXPECT_NE(told.find(problem), std::string::npos) << problem;
  }
}

// What a layer says about a node, as far as it can be read without the names of others.
std::string told_by(Layer layer, const Archive& archive, Uid uid) {
  std::string text;
  const auto add = [&](const auto& values) {
    for (const auto value : values) text += std::to_string(value) + " ";
  };
  PageFacts page;
  switch (layer) {
    case Layer::Names:
      return archive.url(uid);
    case Layer::Links:
      add(archive.links(uid));
      return text;
    case Layer::Times:
      add(archive.capture_times(uid));
      return text;
    case Layer::Presence:
    case Layer::Kinds:
      archive.page(uid, page);
      add(page.targets);
      for (const auto& value : page.values) add(std::array<int, 2>{value.kinds, value.count});
      return text;
    case Layer::Sightings:
      archive.page(uid, page);
      return std::to_string(page.sightings.size());
    case Layer::InLinks:
      add(archive.links(uid, Direction::In));
      return text;
    case Layer::Ranges:
    case Layer::InPresence:
      add(archive.in_links_by_range(uid, {1'001'000'000, 1'005'000'000}));
      return text;
    default:  // an optional layer: the archive of these tests has none
      break;
  }
  return text;
}

// A damaged block is lost; everything in other blocks is still answered correctly.
TEST(Verify, OtherBlocksStillAnswer) {
  const TemporaryFolder folder;
  Random random(8);
  build_archive(folder / "a", random_crawl(random, 200));
  std::size_t blocks = 0;
  for (const Victim& file : files_of(folder / "a")) {
    if (file.path.filename() == kManifestName) continue;
    const PartTable table = read_part(file.bytes, file.path.string());
    const Layer layer = table.header.layer;
    std::vector<std::string> expected;
    const Archive sound = Archive::open(folder / "a");
    for (Uid uid = 0; uid < sound.node_count(); ++uid) {
      expected.push_back(told_by(layer, sound, uid));
    }
    for (std::size_t i = 0; i < table.blocks.size(); ++i) {
      const std::uint64_t damaged = table.header.first_block + i;
      SCOPED_TRACE(testing::Message() << file.path.string() << ", block " << damaged);
      std::string bytes = file.bytes;
      bytes[table.blocks[i].offset + random.below(table.blocks[i].size)] ^= 1;
      overwrite_file(file.path, bytes);
      const Archive archive = Archive::open(folder / "a");
      for (Uid uid = 0; uid < expected.size(); ++uid) {
        try {
          EXPECT_EQ(told_by(layer, archive, uid), expected[uid]);
          EXPECT_NE(uid >> small_archive_options().block_bits, damaged);
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
          EXPECT_EQ(uid >> small_archive_options().block_bits, damaged) << error.what();
        }
      }
      overwrite_file(file.path, file.bytes);
      ++blocks;
    }
  }
  std::cout << blocks << " blocks damaged, one at a time\n";
  EXPECT_GT(blocks, 100U);
}

// A layer file of another archive, with good checksums and listed in MANIFEST: only the comparison
// of layers can find it.
TEST(Verify, LayersThatDoNotAgreeAreFound) {
  const TemporaryFolder folder;
  const auto crawl_of = [](std::uint64_t seed) {
    // The same names, other facts.
    Random random(seed);
    std::vector<Capture> crawl;
    for (int i = 0; i < 16; ++i) {
      Capture capture;
      capture.sighting.url = "http://a.example/" + std::to_string(i);
      capture.sighting.outcome = Outcome::Alive;
      capture.sighting.time = static_cast<Time>(random.below(50));
      capture.links_known = true;
      for (int j = 0; j < 16; ++j) {
        const std::string target = "http://a.example/" + std::to_string(j);
        Link link;
        link.target = target;
        link.kinds = random.chance(0.5) ? LinkKinds(LinkKind::Navigation)
                                        : LinkKind::Navigation | LinkKind::Nofollow;
        if (random.chance(0.5)) capture.links.add(link);
      }
      crawl.push_back(capture);
    }
    return crawl;
  };
  for (const Layer layer : layers_of(small_archive_options())) {
    if (layer == Layer::Names) continue;
    SCOPED_TRACE(to_string(layer));
    const auto one = folder / ("one-" + std::string(to_string(layer)));
    const auto other = folder / ("other-" + std::string(to_string(layer)));
    ArchiveOptions options = small_archive_options();
    options.range_seconds = 10;
    build_archive(one, crawl_of(1), options);
    build_archive(other, crawl_of(2), options);
    Manifest manifest = Manifest::load(one);
    const Manifest from = Manifest::load(other);
    ASSERT_EQ(manifest.counts.nodes, from.counts.nodes);
    for (const LayerFile& file : from.layers.at(layer)) {
      fs::copy_file(other / generation_name(from.generation) / file.name,
                    one / generation_name(manifest.generation) / file.name,
                    fs::copy_options::overwrite_existing);
    }
    manifest.layers[layer] = from.layers.at(layer);
    manifest.save(one);
    EXPECT_NE(complaints(one), "");
  }
}

TEST(Verify, InLinksThatAreNoMirrorAreFound) {
  const TemporaryFolder folder;
  const auto crawl_to = [](const char* target_url) {
    Capture capture;
    capture.sighting.url = "http://a.example/0";
    capture.sighting.outcome = Outcome::Alive;
    capture.links_known = true;
    for (const char* url : {"http://a.example/1", "http://a.example/2"}) {
      Link link;
      link.target = url;
      link.kinds = LinkKind::Navigation;
      if (std::string_view(url) == target_url) capture.links.add(link);
    }
    Capture first;  // so that all names exist
    first.sighting.url = "http://a.example/1";
    Capture second;
    second.sighting.url = "http://a.example/2";
    return std::vector<Capture>{capture, first, second};
  };
  build_archive(folder / "one", crawl_to("http://a.example/1"));
  build_archive(folder / "other", crawl_to("http://a.example/2"));
  Manifest manifest = Manifest::load(folder / "one");
  const Manifest from = Manifest::load(folder / "other");
  for (const Layer layer : kInRowLayers) {
    for (const LayerFile& file : from.layers.at(layer)) {
      fs::copy_file(folder / "other" / generation_name(from.generation) / file.name,
                    folder / "one" / generation_name(manifest.generation) / file.name,
                    fs::copy_options::overwrite_existing);
    }
    manifest.layers[layer] = from.layers.at(layer);
  }
  manifest.save(folder / "one");
  EXPECT_NE(complaints(folder / "one").find("in_links.00000, block 0: in-links are not the mirror"),
            std::string::npos);
}

TEST(Verify, CountsAndDigestAreThoseOfTheLayers) {
  const TemporaryFolder folder;
  Random random(6);
  build_archive(folder / "a", random_crawl(random, 50));
  const Manifest good = Manifest::load(folder / "a");
  Manifest changed = good;
  ++changed.counts.link_facts;
  changed.save(folder / "a");
  EXPECT_NE(complaints(folder / "a").find("counts"), std::string::npos);
  changed = good;
  changed.facts_digest.front() = changed.facts_digest.front() == '0' ? '1' : '0';
  changed.save(folder / "a");
  EXPECT_NE(complaints(folder / "a").find("digest"), std::string::npos);
  good.save(folder / "a");
  EXPECT_EQ(complaints(folder / "a"), "");
}

TEST(Verify, ForeignFilesAndResidueAreNamed) {
  const TemporaryFolder folder;
  Random random(7);
  build_archive(folder / "a", random_crawl(random, 50));
  Manifest manifest = Manifest::load(folder / "a");
  const fs::path generation = folder / "a" / generation_name(manifest.generation);
  for (const fs::path& path : {folder / "a" / "notes.txt", generation / "links.00099"}) {
    overwrite_file(path, "foreign");
    EXPECT_NE(complaints(folder / "a").find(path.string()), std::string::npos);
    fs::remove(path);
  }
  EXPECT_EQ(complaints(folder / "a"), "");

  // A reader of an old generation is not an error, unless something was to be forgotten.
  const auto reader = std::make_unique<Archive>(Archive::open(folder / "a"));
  update_archive(folder / "a", random_crawl(random, 50));
  EXPECT_EQ(complaints(folder / "a"), "");
  manifest = Manifest::load(folder / "a");
  manifest.residue = true;
  manifest.save(folder / "a");
  EXPECT_NE(complaints(folder / "a").find(generation.string()), std::string::npos);

  // Nor does one that is not listed go unnoticed.
  manifest.residue = false;
  manifest.doomed.clear();
  manifest.save(folder / "a");
  EXPECT_NE(complaints(folder / "a").find("left by an interrupted command"), std::string::npos);
}

// Without its key nothing that was forgotten can be recognised; verify used to report that as OK.
TEST(Verify, TheKeyOfTheTombstonesIsLookedAt) {
  const TemporaryFolder folder;
  Random random(7);
  build_archive(folder / "a", random_crawl(random, 50));
  forget(folder / "a", std::vector<Forget>{{ForgetScope::Host, "a.example"}}, {});
  EXPECT_EQ(complaints(folder / "a"), "");
  const fs::path key = folder / "a" / "tombstones.key";
  const fs::path list = folder / "a" / Manifest::load(folder / "a").tombstones->name;
  for (const fs::path& path : {key, list}) {
    const std::string bytes = read_file(path);
    const auto expect_named = [&](const std::string& how) {
      const std::string found = complaints(folder / "a");
      EXPECT_NE(found.find(path.string()), std::string::npos) << how << ": " << found;
      EXPECT_TRUE(verify(folder / "a").interrupted.empty()) << how;
    };
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ 16);
      overwrite_file(path, flipped);
      expect_named("flipped at " + std::to_string(i));
      overwrite_file(path, bytes.substr(0, i));
      expect_named("cut at " + std::to_string(i));
    }
    overwrite_file(path, bytes + "x");
    expect_named("longer");
    fs::remove(path);
    expect_named("deleted");
    overwrite_file(path, bytes);
    EXPECT_EQ(complaints(folder / "a"), "");
  }
}

// What a kill leaves needs the command again, never a copy: that may be from before a forget.
TEST(Verify, LeftoversOfAKilledCommandAreCalledInterrupted) {
  const TemporaryFolder folder;
  Random random(7);
  build_archive(folder / "a", random_crawl(random, 50));
  const fs::path archive = folder / "a";
  const fs::path generation = archive / generation_name(Manifest::load(archive).generation);
  const std::vector<fs::path> leftovers = {archive / "work" / "generation" / "names.00000",
                                           archive / "MANIFEST.tmp123",
                                           archive / "tombstones.0123456789abcdef",
                                           archive / "tombstones.0123456789abcdef.tmp9",
                                           archive / "tombstones.key",
                                           generation / "scores.page.0",
                                           generation / "scores.page.0.tmp77",
                                           generation / "link_scores.page.0",
                                           archive / "g000099" / "names.00000"};
  for (const fs::path& path : leftovers) {
    SCOPED_TRACE(path.string());
    fs::create_directories(path.parent_path());
    overwrite_file(path, "left");
    const VerifyResult result = verify(archive);
    EXPECT_EQ(result.problems.size(), 1U);
    EXPECT_EQ(result.interrupted, result.problems);
    EXPECT_FALSE(result.is_clean());
    EXPECT_FALSE(result.is_damaged());
    const std::string text = all_of(result.problems);
    EXPECT_NE(text.find("interrupted"), std::string::npos) << text;
    EXPECT_NE(text.find("run the command again"), std::string::npos) << text;
    EXPECT_EQ(text.find("restore"), std::string::npos) << text;
    // The next writer, whichever it is, removes it.
    update_archive(archive, {});
    EXPECT_EQ(complaints(archive), "");
  }
}

// While a writer is active, the same files are its work.
TEST(Verify, TheWorkOfALivingWriterIsNoProblem) {
  const TemporaryFolder folder;
  Random random(7);
  build_archive(folder / "a", random_crawl(random, 50));
  const WriterLock lock = WriterLock::take(folder / "a");
  overwrite_file(lock.work_folder() / "draft", "at work");
  overwrite_file(folder / "a" / "tombstones.0123456789abcdef", "at work");
  EXPECT_EQ(complaints(folder / "a"), "");
}

TEST(Verify, NoArchiveIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THROW(verify(folder / "nothing"), Error);
}

}  // namespace
}  // namespace webstrata
